import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDirectory } from './directory.ts';

type Found = { name: string; kind: string; count: number; message: string };
const kindsOf = (body: Record<string, unknown>) =>
  (body.findings as Found[]).map(({ name, kind, count }) => [name, kind, count]);

test('every fault is found, the worst first', async () => {
  const { upload, call } = await openDirectory();
  await upload('fine', [0.1, 0.2, 0.3]);
  await upload('broken', [1.5, 'NaN', 0.1]);
  await upload('endless', [0.3, '-Infinity', 0.1, 'Infinity']);
  await upload('exploded', [1e7, -1e8, 0.1]);
  await upload('empty_net', [
    [0.1, 0.7],
    [0, 0],
    [0.3, 0],
  ]);
  await upload('zeros', [0, 0, 0]);
  await upload('same', [0.7, 0.7, 0.7]);
  await upload('tiny', [1e-310, 0.1, 0.7]);
  await upload('wide', [1, 2, 300]);
  const { body } = await call('check_tensors');
  expect(body).toMatchObject({ success: true, checked: 9, without_findings: 1, total_findings: 8 });
  expect(kindsOf(body)).toEqual([
    ['broken', 'nan', 1],
    ['endless', 'infinite', 2],
    ['exploded', 'large_norm', 3],
    ['zeros', 'all_zero', 3],
    ['empty_net', 'dead_rows', 1],
    ['same', 'constant', 3],
    ['tiny', 'denormal', 1],
    ['wide', 'wide_dtype', 3],
  ]);
  expect(body.message).toContain("The worst: tensor 'broken': 1 of 3 value(s) are NaN");
});

test.each([
  ['int64', [-1, 100], 'int8'],
  ['int64', [0, 255], 'uint8'],
  ['int32', [0, 70_000], undefined],
  ['float64', [0.5, 0.25], 'float16'],
  ['float64', [Math.fround(1e-20), Math.fround(0.1)], 'float32'],
  ['float64', [0.1, 0.2], undefined],
  ['float32', [0.1, 0.2], undefined],
  ['float32', [1, 2, 3], 'uint8'],
  ['float16', [0.5, 2000.5], undefined],
  ['uint8', [1, 2], undefined],
])('%s %j could be %s', async (dtype, values, narrower) => {
  const { upload, call } = await openDirectory();
  await upload('x', values, { dtype });
  const { body } = await call('check_tensors');
  const wide = (body.findings as Found[]).find(({ kind }) => kind === 'wide_dtype');
  expect(wide?.message.split(' ')[0]).toBe(narrower);
});

test('a pattern names what is checked; only the newest versions are', async () => {
  const { upload, call } = await openDirectory();
  await upload('net.a', ['NaN', 1.1]);
  await upload('net.a', [0.1, 0.2]);
  await upload('net.b', ['NaN', 1.1]);
  await upload('other', ['NaN', 1.1]);
  expect((await call('check_tensors', { pattern: 'net' })).body).toMatchObject({ checked: 2, total_findings: 1 });
  expect((await call('check_tensors', { pattern: '*.b' })).body).toMatchObject({ checked: 1, total_findings: 1 });
  expect((await call('check_tensors', { pattern: 'nothing*' })).body).toEqual({
    success: false,
    message: "No tensors match 'nothing*'.",
  });
});

test('an empty directory has nothing to check, and says so', async () => {
  const { call } = await openDirectory();
  expect((await call('check_tensors')).body).toMatchObject({ checked: 0, message: 'There are no tensors to check.' });
});

test('a damaged tensor is a finding, and the others are still checked', async () => {
  const { upload, call, dataDir } = await openDirectory();
  await upload('good', [0.1, 'NaN']);
  await upload('bad', [0.25, 0.1]);
  const root = join(dataDir, 'blobs', 'tensors');
  const files = readdirSync(root, { recursive: true })
    .map((name) => join(root, String(name)))
    .filter((path) => statSync(path).isFile());
  const { body: described } = await call('describe_tensor', { name_or_uuid: 'bad' });
  writeFileSync(files.find((path) => path.includes(String(described.sha256)))!, 'nothing');
  const { body } = await call('check_tensors');
  expect(kindsOf(body)).toEqual([
    ['bad', 'damaged', 1],
    ['good', 'nan', 1],
  ]);
});
