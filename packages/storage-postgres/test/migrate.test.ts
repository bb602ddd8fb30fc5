import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeObjectStore } from './object-store.ts';
import { call, Programs, programOf } from './programs.ts';
import { makePostgres, type TestPostgres } from './server.ts';

let server: TestPostgres;
let store: Awaited<ReturnType<typeof makeObjectStore>>;
let programs: Programs;
beforeAll(async () => {
  [server, store] = await Promise.all([makePostgres(), makeObjectStore()]);
  programs = new Programs();
}, 180_000);
afterAll(async () => {
  await programs.close();
  await Promise.all([server.remove(), store.remove()]);
});

const timeout = 180_000;
const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
const blobUrl = () => `s3://atoll/moved?endpoint=${encodeURIComponent(store.endpoint)}`;

function startMigration(...args: string[]): ChildProcess {
  return spawn(process.execPath, [programOf('apps/aggregator'), 'migrate', ...args], {
    env: { PATH: process.env.PATH, ...keys },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const child = startMigration(...args);
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (out += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out };
}

test('a folder moves to a database and an object store, through a run that is killed', { timeout }, async () => {
  const folder = programs.newFolder();
  const lakeFolder = join(folder, 'memorylake');
  const tensors = await programs.connect('packages/tensor-directory', ['--data-dir', join(folder, 'tensor-directory')]);
  for (let n = 0; n < 40; n++) {
    await call(tensors, 'upload_tensor', { name: `t${n}`, description: 'to be moved', tensor_data: [n, n / 3] });
  }
  const lake = await programs.connect('packages/memorylake', ['--no-embed', '--data-dir', lakeFolder]);
  await call(lake, 'add_memory', { name: 'reef.txt', text: 'A lagoon lies behind the reef.' });
  await Promise.all([tensors.close(), lake.close()]);

  const args = ['--from', folder, '--to', server.url, '--blobs', blobUrl()];
  const killed = startMigration(...args);
  // The first part is done and the next is under way.
  await once(killed.stdout!, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'close');

  const { code, out } = await run(...args);
  expect(out).toMatch(/tensor-directory: records of tensors: 40 \(\d+ new\), sha256 [0-9a-f]{64}\n/);
  expect(out).toMatch(/memorylake: index chunks_\d+: 1 \(1 new\), sha256 [0-9a-f]{64}\n/);
  expect(out).toContain('copied and verified');
  expect(code).toBe(0);
  expect((await run(...args)).out).not.toMatch(/\([1-9]\d* new\)/);

  const shared = ['--storage', server.url, '--blob-storage', blobUrl()];
  const moved = await programs.connect('packages/tensor-directory', shared, keys);
  expect(await call(moved, 'get_tensor', { name_or_uuid: 't7' })).toMatchObject({ values: [7, 7 / 3] });
  const movedLake = await programs.connect('packages/memorylake', ['--no-embed', ...shared], keys);
  expect(JSON.stringify(await call(movedLake, 'search_memory', { query: 'lagoon' }))).toContain('reef.txt');

  await call(moved, 'delete_tensor', { name_or_uuid: 't7' });
  expect((await run('--from', join(folder, 'tensor-directory'), ...args.slice(2))).out).toMatch(/4\d \(1 new\)/);
});

test('wrong words, an empty folder and a database that is away are told as such', { timeout }, async () => {
  expect(await run()).toMatchObject({ code: 2, out: expect.stringContaining('missing target') });
  const empty = await run('--from', programs.newFolder(), '--to', server.url);
  expect(empty).toMatchObject({ code: 2, out: expect.stringContaining('holds no data') });
  const folder = join(programs.newFolder(), 'tensor-directory');
  const tensors = await programs.connect('packages/tensor-directory', ['--data-dir', folder]);
  await call(tensors, 'upload_tensor', { name: 'one', description: 'stays', tensor_data: [1] });
  const away = await run('--from', folder, '--to', 'postgres://a:hunter2@127.0.0.1:1/x');
  expect(away).toMatchObject({ code: 1, out: expect.stringContaining('cannot be reached') });
  expect(away.out).not.toContain('hunter2');
});
