import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectStdio } from '@atoll-mcp/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { rows, xlsx } from '../make-files.ts';
import { afterTests, cleanUp, newFolder } from '../open-test-lake.ts';
import { cli, eventually, memorylake, startHttp } from './programs.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });
afterAll(cleanUp);

interface Listed {
  memories: { id: string; name: string; status: string }[];
}

const list = async (data: string): Promise<Listed['memories']> =>
  (JSON.parse((await memorylake('list', '--json', '--no-embed', '--data-dir', data)).stdout) as Listed).memories;

test('what was acknowledged is there after kill -9, and what was under way is finished by the next who comes', async () => {
  const data = await newFolder();
  const { url, child } = await startHttp(['--no-embed', '--data-dir', data]);
  const upload = (name: string, body: string | Uint8Array) =>
    fetch(new URL(`/memories?name=${name}`, url), { method: 'POST', body }).then(
      (response) => response.json() as Promise<Listed>,
    );
  const acknowledged: string[] = [];
  const uploads = Array.from({ length: 40 }, async (_, at) => {
    const { memories } = await upload(`file-${at}.txt`, `This is the text of file number ${at}.`);
    acknowledged.push(memories[0]!.name);
    if (acknowledged.length === 12) child.kill('SIGKILL');
  });
  // A large file that cannot be done before the end.
  const big = upload(
    'big.xlsx',
    new Uint8Array(xlsx({ Big: rows(Array.from({ length: 60_000 }, (_, at) => [at, `value ${at}`])) })),
  );
  await Promise.allSettled([...uploads, big]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(12);

  const after = await list(data);
  for (const name of acknowledged) expect(after.map((memory) => memory.name)).toContain(name);

  const client = await connectStdio({ command: process.execPath, args: [cli, '--no-embed', '--data-dir', data] });
  afterTests(() => client.close());
  const states = async () => {
    const { structuredContent } = await client.callTool({ name: 'list_memories', arguments: { limit: 500 } });
    return (structuredContent as { result: Listed }).result.memories;
  };
  const settled = await eventually(
    states,
    (memories) => memories.every(({ status }) => status !== 'processing'),
    120_000,
  );
  expect(settled.every(({ status }) => status === 'ready')).toBe(true);
  const { structuredContent } = await client.callTool({
    name: 'search_memory',
    arguments: { query: 'text of file number', limit: 100 },
  });
  const found = (structuredContent as { result: { results: { name: string }[] } }).result.results.map(
    ({ name }) => name,
  );
  for (const name of acknowledged) expect(found).toContain(name);
});

test('two programs on one lake lose nothing and see what the other adds', async () => {
  const data = await newFolder();
  const docs = await newFolder();
  const names = Array.from({ length: 24 }, (_, at) => `note-${at}.txt`);
  await Promise.all(names.map((name, at) => writeFile(join(docs, name), `Word${at} stands in this note alone.`)));
  const half = (from: number) => names.filter((_, at) => at % 2 === from).map((name) => join(docs, name));
  const { url } = await startHttp(['--no-embed', '--data-dir', data]);
  // Both begin with the same file, so one has to wait for the other.
  const shared = join(docs, names[0]!);
  const [one, other] = await Promise.all([
    memorylake('add', shared, ...half(0), '--json', '--no-embed', '--data-dir', data),
    memorylake('add', shared, ...half(1), '--json', '--no-embed', '--data-dir', data),
  ]);
  expect([one, other]).toMatchObject([{ code: 0 }, { code: 0 }]);
  const memories = await list(data);
  expect(memories.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(memories.every(({ status }) => status === 'ready')).toBe(true);
  const { connectHttp } = await import('@atoll-mcp/testing');
  const client = await connectHttp(url);
  afterTests(() => client.close());
  const { structuredContent } = await client.callTool({ name: 'search_memory', arguments: { query: 'Word17' } });
  expect(structuredContent).toMatchObject({ result: { results: [{ name: 'note-17.txt' }] } });
});
