import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npyFile } from '@atoll-mcp/formats/npy';
import { describe, expect, test } from 'vitest';
import { nameMatcher } from '../src/domain/compare/name-pattern.ts';
import { openDirectory, temporaryFolder } from './directory.ts';

/** A safetensors file of float32 vectors. */
function safetensors(tensors: Readonly<Record<string, readonly number[]>>): Buffer {
  const header: Record<string, unknown> = {};
  const parts: Buffer[] = [];
  let at = 0;
  for (const [key, values] of Object.entries(tensors)) {
    const bytes = Buffer.from(Float32Array.from(values).buffer);
    header[key] = { dtype: 'F32', shape: [values.length], data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...parts]);
}

const figuresOf = (body: Record<string, unknown>) => body.figures as Record<string, unknown>;

describe('compare_tensors', () => {
  test('figures are those that NumPy gives', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', [
      [1, 2, 3],
      [4, 5, 6.5],
    ]);
    await upload('b', [
      [1, 2.5, 3],
      [4, 5, 4.5],
    ]);
    const { body, content } = await call('compare_tensors', { a: 'a', b: 'b' });
    expect(body).toMatchObject({
      success: true,
      equal: false,
      same_shape: true,
      same_dtype: true,
      figures: { count: 6, differing: 2, beyond_tolerance: 2, max_abs: 2, new_nan: 0, new_infinite: 0 },
    });
    const figures = figuresOf(body);
    // np.abs(b - a).mean(), (np.abs(b - a) / np.maximum(np.abs(a), np.abs(b))).mean(), a.dot(b) / (norm(a) * norm(b))
    expect(figures.mean_abs).toBeCloseTo(2.5 / 6, 12);
    expect(figures.mean_rel).toBeCloseTo((0.5 / 2.5 + 2 / 6.5) / 6, 12);
    expect(figures.cosine).toBeCloseTo(85.25 / Math.sqrt(97.25 * 77.5), 12);
    expect(figures.relative_norm).toBeCloseTo(Math.sqrt(4.25 / 97.25), 12);
    expect(figures.largest).toEqual([
      { index: [1, 2], a: 6.5, b: 4.5, difference: 2 },
      { index: [0, 1], a: 2, b: 2.5, difference: 0.5 },
    ]);
    expect(content.find(({ type }) => type === 'image')?.mimeType).toBe('image/png');
  });

  test('two versions of one name are told apart', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', [1, 2, 3]);
    await upload('a', [1, 2, 4]);
    const { body } = await call('compare_tensors', { a: 'a@1', b: 'a@2' });
    expect(body.message).toMatch(/^Tensors 'a@1' and 'a@2' differ in 1 of 3 value\(s\)/);
  });

  test('a tolerance decides what is equal, and the largest difference is told all the same', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', [1, 2, 3]);
    await upload('b', [1, 2.001, 3], { dtype: 'float64' });
    const { body } = await call('compare_tensors', { a: 'a', b: 'b', tolerance: 0.01 });
    expect(body).toMatchObject({ equal: true, same_dtype: false, figures: { differing: 1, beyond_tolerance: 0 } });
  });

  test('NaN equals NaN, and new NaN and infinities are counted', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', ['NaN', 1, 2, 'Infinity']);
    await upload('b', ['NaN', 'NaN', 'Infinity', 4]);
    const { body } = await call('compare_tensors', { a: 'a', b: 'b' });
    expect(figuresOf(body)).toMatchObject({ differing: 3, new_nan: 1, new_infinite: 1, gone_nan: 0, gone_infinite: 1 });
    expect(body.message).toContain('1 new NaN and 1 new infinite value(s)');
    expect((await call('compare_tensors', { a: 'a', b: 'a' })).body.equal).toBe(true);
    // More of them than places are listed: finite differences behind them still count.
    await upload('c', [0, 0, 0, 0, 0, 1]);
    await upload('d', ['NaN', 'NaN', 'NaN', 'NaN', 'NaN', 4]);
    expect(figuresOf((await call('compare_tensors', { a: 'c', b: 'd' })).body)).toMatchObject({
      new_nan: 5,
      max_abs: 3,
    });
  });

  test('64-bit integers are compared exactly, where doubles are the same', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', ['9007199254740992', '9007199254740993']);
    await upload('b', ['9007199254740993', '9007199254740993']);
    const { body } = await call('compare_tensors', { a: 'a', b: 'b' });
    expect(figuresOf(body)).toMatchObject({ differing: 1, max_abs: 1 });
    await upload('c', [9007199254740992, 9007199254740992], { dtype: 'float64' });
    expect(figuresOf((await call('compare_tensors', { a: 'a', b: 'c' })).body)).toMatchObject({ differing: 1 });
  });

  test('different shapes are told, not compared', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', [1, 2]);
    await upload('b', [[1, 2]]);
    const { body } = await call('compare_tensors', { a: 'a', b: 'b' });
    expect(body).toMatchObject({ equal: false, same_shape: false, figures: null });
    expect(body.message).toContain('(2,) and (1, 2)');
  });

  test.each([
    ['in the server', 300_001],
    ['in a thread', 400_001],
  ])('tensors longer than a piece, of different element sizes, are lined up %s', async (_, count) => {
    const folder = temporaryFolder();
    const { call, dataDir } = await openDirectory({ importRoot: [folder] });
    const a = Float32Array.from({ length: count }, (_, i) => i % 1000);
    const b = Float64Array.from(a);
    b[count - 1] = -5;
    const file = (dtype: 'float32' | 'float64', array: Float32Array | Float64Array) =>
      Buffer.concat(npyFile({ dtype, shape: [count], data: new Uint8Array(array.buffer) }));
    writeFileSync(join(folder, 'a.npy'), file('float32', a));
    writeFileSync(join(folder, 'b.npy'), file('float64', b));
    await call('import_tensors', { path: 'a.npy' });
    await call('import_tensors', { path: 'b.npy' });
    const { body } = await call('compare_tensors', { a: 'a', b: 'b' });
    expect(figuresOf(body)).toMatchObject({ count, differing: 1, largest: [{ index: [count - 1], b: -5 }] });
    const { sha256 } = (await call('describe_tensor', { name_or_uuid: 'b' })).body as { sha256: string };
    const path = join(dataDir, 'blobs/tensors', sha256.slice(0, 2), `${sha256}.npy`);
    for (const damage of [new Uint8Array(readFileSync(path)).fill(1, -8), readFileSync(path).subarray(0, -8)]) {
      writeFileSync(path, damage);
      const { body: refusal } = await call('compare_tensors', { a: 'a', b: 'b' });
      expect(refusal.message).toContain("The stored values of tensor 'b' are damaged");
    }
  });

  test('a missing tensor is named', async () => {
    const { upload, call } = await openDirectory();
    await upload('a', [1]);
    const { body, isError } = await call('compare_tensors', { a: 'a', b: 'nope' });
    expect(isError).toBe(true);
    expect(body).toEqual({ success: false, message: "Tensor 'nope' not found." });
  });
});

describe('compare_checkpoints', () => {
  async function twoCheckpoints() {
    const folder = temporaryFolder();
    const directory = await openDirectory({ importRoot: [folder] });
    writeFileSync(
      join(folder, 'v1.safetensors'),
      safetensors({ same: [1, 2], small: [1, 1, 1, 1], big: [1, 1], old: [7], moved: [3, 1, 4], grown: [1] }),
    );
    writeFileSync(
      join(folder, 'v2.safetensors'),
      safetensors({ same: [1, 2], small: [1, 1, 1, 1.01], big: [1, 9], added: [8], place: [3, 1, 4], grown: [1, 2] }),
    );
    await directory.call('import_tensors', { path: 'v1.safetensors' });
    await directory.call('import_tensors', { path: 'v2.safetensors' });
    return { ...directory, folder };
  }

  test('tells what was added, removed, renamed and changed, the largest change first', async () => {
    const { call } = await twoCheckpoints();
    const { body, content } = await call('compare_checkpoints', { a: 'v1', b: 'v2' });
    expect(body).toMatchObject({
      success: true,
      a: { tensors: 6 },
      b: { tensors: 6 },
      counts: { added: 1, removed: 1, renamed: 1, changed: 3, unchanged: 1 },
      added: [{ name: 'v2.added' }],
      removed: [{ name: 'v1.old' }],
      renamed: [{ from: 'v1.moved', to: 'v2.place' }],
    });
    const changed = body.changed as { key: string; relative_norm: number | null }[];
    expect(changed.map(({ key }) => key)).toEqual(['grown', 'big', 'small']);
    expect(changed[0]!.relative_norm).toBeNull();
    expect(changed[1]!.relative_norm).toBeCloseTo(8 / Math.SQRT2, 6);
    expect(content.some(({ type }) => type === 'image')).toBe(true);
  });

  test('a pattern narrows it, and a star may stand anywhere in a name', async () => {
    const { call } = await twoCheckpoints();
    const narrowed = await call('compare_checkpoints', { a: 'v1', b: 'v2', pattern: 's*' });
    expect(narrowed.body.counts).toEqual({ added: 0, removed: 0, renamed: 0, changed: 1, unchanged: 1 });
    const starred = await call('compare_checkpoints', { a: 'v1.b*', b: 'v2.b*' });
    expect(starred.body.changed).toMatchObject([{ key: 'ig', a: { name: 'v1.big' } }]);
  });

  test('two imports of the same file name are told apart, also where a key is new', async () => {
    const { call, folder } = await twoCheckpoints();
    writeFileSync(join(folder, 'v1.safetensors'), safetensors({ same: [1, 3], fresh: [2] }));
    await call('import_tensors', { path: 'v1.safetensors' });
    const { body } = await call('compare_checkpoints', { a: 'v1@1', b: 'v1@2' });
    expect(body.counts).toEqual({ added: 1, removed: 5, renamed: 0, changed: 1, unchanged: 0 });
    expect((await call('compare_checkpoints', { a: 'v1@1', b: 'v1' })).body.counts).toEqual(body.counts);
    const missing = await call('compare_checkpoints', { a: 'v1@3', b: 'v1' });
    expect(missing.body).toEqual({
      success: false,
      message: "No tensors match 'v1@3': there are 2 import(s) of 'v1'.",
    });
  });

  test('an import is named by its id', async () => {
    const { call } = await twoCheckpoints();
    const ids = await Promise.all(
      ['v1.same', 'v2.same'].map(async (name) => {
        const { body } = await call('get_tensor', { name_or_uuid: name });
        return (body.metadata as { lineage: { import_id: string; file: string } }).lineage.import_id;
      }),
    );
    const { body } = await call('compare_checkpoints', { a: ids[0], b: ids[1] });
    expect(body.counts).toEqual({ added: 1, removed: 1, renamed: 1, changed: 3, unchanged: 1 });
  });

  test('nothing that matches is an error, not an empty comparison', async () => {
    const { call } = await twoCheckpoints();
    expect((await call('compare_checkpoints', { a: 'v1', b: 'v9' })).body).toEqual({
      success: false,
      message: "No tensors match 'v9'.",
    });
    expect((await call('compare_checkpoints', { a: 'v1', b: 'v2', pattern: 'nothing' })).isError).toBe(true);
  });
});

describe('name patterns', () => {
  test.each([
    ['a', 'a', ''],
    ['a', 'a.b.c', 'b.c'],
    ['a', 'ab', undefined],
    ['*', 'anything', 'anything'],
    ['a*c', 'abbc', 'bb'],
    ['a*c', 'abbd', undefined],
    ['*.weight', 'x.weight.weight', 'x.weight'],
    ['l?.w', 'l1.w', '1'],
    ['l?.w', 'l12.w', undefined],
    ['a.*', 'a.', ''],
    ['[x]*', '[x]y', 'y'],
  ])('%s on %s', (pattern, name, expected) => {
    expect(nameMatcher(pattern)(name)).toBe(expected);
  });

  test('a pattern of many stars takes no long time', () => {
    expect(nameMatcher(`${'*a'.repeat(200)}b`)('a'.repeat(20_000))).toBeUndefined();
  });
});
