import { readFileSync } from 'node:fs';
import { connectHttp } from '@atoll-mcp/testing';
import { expect, test } from 'vitest';
import { serveBoth } from '../examples/library.ts';
import { after, eventually, LEGACY, tempDir } from './harness.ts';

test('the library example is shown as it is, and works', { timeout: 60_000 }, async () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trim();
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('../examples/library.ts')}\n\`\`\``);
  const { url, close, status } = await serveBoth(tempDir(), process.execPath, [LEGACY]);
  after(close);
  await eventually(() => status().every(({ state }) => state === 'up'));
  expect(status().map(({ key }) => key)).toEqual(['tensor-directory', 'mine']);
  const client = await connectHttp(url);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('list_tensors');
  expect(names.some((name) => name.startsWith('mine_'))).toBe(true);
  expect((await client.callTool({ name: 'list_tensors', arguments: {} })).isError).toBeFalsy();
  await client.close();
});
