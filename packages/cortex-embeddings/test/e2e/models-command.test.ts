import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectStdio } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tinyModels, writeModel } from '../_tiny-models.ts';
import { cli } from './_program.ts';

vi.setConfig({ testTimeout: 180_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cortex-command-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function models(...words: string[]) {
  const args = [cli, 'models', ...words, '--data-dir', join(folder, 'data')];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test('a model is pulled, listed, used by the next start, and removed', async () => {
  const path = await writeModel(join(folder, 'tiny'), tinyModels.wordPiece());
  const pulled = models('pull', path);
  expect(pulled.stdout).toContain('tiny is installed: tiny/');
  expect(pulled.stderr).toContain('trying the model');
  const { models: listed } = JSON.parse(models('list', '--json').stdout);
  expect(listed.find(({ name }: { name: string }) => name === 'tiny')).toMatchObject({
    installed: true,
    active: false,
    dimensions: 4,
    source: `folder ${path}`,
  });
  expect(models('list').stdout).toMatch(/^\+ tiny /m);
  expect(JSON.parse(models('use', 'tiny', '--json').stdout)).toEqual({ active: 'tiny' });

  const client = await connectStdio({ command: process.execPath, args: [cli, '--data-dir', join(folder, 'data')] });
  const { structuredContent } = await client.callTool({ name: 'embedding.generate', arguments: { text: 'cat' } });
  await client.close();
  expect(structuredContent).toMatchObject({ metadata: { model_name: 'tiny', dimensions: 4 } });

  expect(models('remove', 'tiny').stdout).toBe('tiny is removed\n');
  expect(models('list').stdout).toMatch(/^\* all-MiniLM-L6-v2/m);
});

test.each([
  [[], 2, 'models list | pull NAME'],
  [['pull'], 2, 'models list | pull NAME'],
  [['fetch', 'x'], 2, 'models list | pull NAME'],
  [['list', 'x'], 2, 'models list | pull NAME'],
  [['use', 'multilingual'], 1, 'is not installed. Run: cortex-embeddings models pull multilingual'],
  [['remove', 'default'], 1, 'comes with the package'],
  [['pull', 'default'], 1, 'It needs no pull'],
  [['pull', 'nonsense'], 1, 'neither a known model nor a folder'],
])('models %j ends with %i and says why', (words, status, message) => {
  const ended = models(...words);
  expect(ended.stderr).toContain(message);
  expect(ended.status).toBe(status);
});

test('problems are JSON too when that is asked for', () => {
  const { stdout, status } = models('use', 'quality', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    error: { message: 'The model "quality" is not installed', remedy: 'Run: cortex-embeddings models pull quality' },
  });
});
