import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, Programs } from './programs.ts';
import { makePostgres, type TestPostgres } from './server.ts';

let server: TestPostgres;
let programs: Programs;
beforeAll(async () => {
  server = await makePostgres({ version: '15' });
  programs = new Programs();
}, 180_000);
afterAll(async () => {
  await programs.close();
  await server.remove();
});

const timeout = 120_000;

test('two tensor directories on one database see each other’s tensors', { timeout }, async () => {
  const start = () => programs.connect('packages/tensor-directory', ['--storage', server.url]);
  const [one, other] = await Promise.all([start(), start()]);
  await call(one, 'upload_tensor', { name: 'weights', description: 'of the first', tensor_data: [[1, 2.5]] });
  expect(await call(other, 'get_tensor', { name_or_uuid: 'weights' })).toMatchObject({ values: [[1, 2.5]] });
  await call(other, 'upload_tensor', { name: 'weights', description: 'of the second', tensor_data: [3] });
  expect(await call(one, 'list_versions', { name: 'weights' })).toMatchObject({
    versions: [{ version: 1 }, { version: 2, current: true }],
  });
});

test('what one memory lake is given, another finds', { timeout }, async () => {
  const start = () => programs.connect('packages/memorylake', ['--no-embed', '--storage', server.url]);
  const [one, other] = await Promise.all([start(), start()]);
  await call(one, 'add_memory', { name: 'tides.txt', text: 'The spring tide follows the new moon.' });
  const found = JSON.stringify(await call(other, 'search_memory', { query: 'spring tide' }));
  expect(found).toContain('tides.txt');
  expect(found).toContain('The spring tide follows the new moon.');
});

test('an aggregator shares with a server that runs alone, its address read from a file', { timeout }, async () => {
  const file = join(programs.newFolder(), '..', 'storage-address');
  writeFileSync(file, `${server.url}\n`, { mode: 0o600 });
  const atoll = await programs.connect('apps/aggregator', ['--storage-file', file]);
  const alone = await programs.connect('packages/tensor-directory', ['--storage-file', file]);
  await call(atoll, 'upload_tensor', { name: 'shared', description: 'from the aggregator', tensor_data: [7] });
  expect(await call(alone, 'get_tensor', { name_or_uuid: 'shared' })).toMatchObject({ values: [7] });
});

test('a program whose database is away says so, in words and not in its own', { timeout }, async () => {
  const lost = await programs.connect('packages/tensor-directory', ['--storage', 'postgres://a:hunter2@127.0.0.1:1/x']);
  const answer = await lost.callTool({ name: 'list_tensors', arguments: {} });
  const words = JSON.stringify(answer);
  expect(words).toMatch(/cannot be reached|not available|unavailable/i);
  expect(words).not.toMatch(/hunter2|ECONNREFUSED/);
});
