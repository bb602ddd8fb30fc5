import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectStdio, connectV1 } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cli } from './_program.ts';

vi.setConfig({ testTimeout: 180_000 });

let dataDir: string;
const program = () => ({ command: process.execPath, args: [cli, '--data-dir', dataDir] });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cortex-stdio-'));
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

test('a client of the SDK v1 line gets every tool, and answers that fit their schemas', async () => {
  const client = await connectV1(program());
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'embedding.generate',
      'embedding.batch',
      'model.info',
      'health.status',
      'embedding.similarity',
      'embedding.tokens',
      'embedding.rerank',
      'embedding.verify',
    ]);
    const calls = [
      { name: 'embedding.generate', arguments: { text: 'hello world', normalize: true } },
      { name: 'embedding.batch', arguments: { texts: ['text-1', 'text-2'], encoding: 'base64', dimensions: 128 } },
      { name: 'embedding.similarity', arguments: { query: 'a cat', texts: ['a kitten', 'a stock market'] } },
      { name: 'embedding.tokens', arguments: { texts: ['hello world'] } },
      { name: 'embedding.rerank', arguments: { query: 'a cat', documents: ['a stock market', 'a kitten'] } },
      { name: 'embedding.verify', arguments: { text: 'hello', embedding: [1, 2, 3] } },
      { name: 'model.info', arguments: {} },
      { name: 'health.status', arguments: {} },
      { name: 'embedding_generate', arguments: { text: 'hello world' } },
    ];
    for (const call of calls) {
      // This client throws when structuredContent does not fit the advertised schema, also for failures.
      const { isError, content, structuredContent } = await client.callTool(call);
      expect(isError ?? false, call.name).toBe(false);
      expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual(structuredContent);
    }
    const similarity = await client.callTool(calls[2]!);
    expect(similarity.structuredContent).toMatchObject({ ranking: [0, 1] });
    const refused = await client.callTool({ name: 'embedding.batch', arguments: { texts: ['a', ''] } });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { code: 'VALIDATION_ERROR', details: { index: 1 } },
    });
  } finally {
    await client.close();
  }
});

test('after a restart a text has the same vector, and it comes from the disk', async () => {
  const ask = async (era: 'legacy' | 'modern') => {
    const client = await connectStdio({ ...program(), era });
    const { structuredContent } = await client.callTool({
      name: 'embedding.generate',
      arguments: { text: 'The same after a restart' },
    });
    await client.close();
    return structuredContent as { embedding: number[]; metadata: { cached: boolean; generated_at: string } };
  };
  const first = await ask('legacy');
  const second = await ask('modern');
  expect(first.metadata.cached).toBe(false);
  expect(second.metadata).toMatchObject({ cached: true, generated_at: first.metadata.generated_at });
  expect(second.embedding).toEqual(first.embedding);
});

test('the package can be imported without loading a model or a database', () => {
  const door = pathToFileURL(join(cli, '..', 'index.js')).href;
  const script = `const { contract } = await import(${JSON.stringify(door)});
    const loaded = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'));
    console.log(JSON.stringify({ tools: contract.tools.length, loaded }));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ tools: 8, loaded: [] });
});

test('settings that do not fit end the program with 2 and are all named', () => {
  const env = { ...process.env, EMBED_MAX_CHARS: 'many', CORTEX_PRECISION: 'int4' };
  const { status, stderr } = spawnSync(process.execPath, [cli, '--workers', '0'], { env, encoding: 'utf8' });
  expect(status).toBe(2);
  for (const place of ['EMBED_MAX_CHARS', 'CORTEX_PRECISION', '--workers']) expect(stderr).toContain(place);
});
