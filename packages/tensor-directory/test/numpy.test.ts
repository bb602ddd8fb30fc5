import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDirectory, temporaryFolder } from './directory.ts';
import { needsPython } from './python.ts';

/** The real NumPy, as the sandbox finds it: the proof that files are understood. */
describe('NumPy', needsPython, () => {
  const python = createPythonRuntime();
  const shared = mkdtempSync(join(tmpdir(), 'tensor-numpy-'));
  let session: Awaited<ReturnType<typeof python.open>>;
  beforeAll(async () => {
    session = await python.open({
      files: { functionName: 'exported', find: async (id) => ({ name: id, path: join(shared, id) }) },
    });
  }, 120_000);
  afterAll(async () => {
    await python.close();
    rmSync(shared, { recursive: true });
  });

  const numpy = async (code: string) => {
    const { stdout, failure } = await session.run(`import numpy as np, io, base64\n${code}`);
    if (failure) throw new Error(failure.message);
    return stdout.trim();
  };

  test.each([
    ['bool', '[[True, False]]'],
    ['int8', '[[-128, 127]]'],
    ['int16', '[1, -2]'],
    ['int32', '[[[1], [2]]]'],
    ['int64', '[9223372036854775807, -1]'],
    ['uint8', '[0, 255]'],
    ['uint16', '[65535]'],
    ['uint32', '[4294967295]'],
    ['uint64', '[18446744073709551615]'],
    ['float16', '[0.1, float("nan"), 65504]'],
    ['float32', '[0.1, float("-inf")]'],
    ['float64', '[[0.1, 1e300], [5e-324, float("nan")]]'],
    ['float64', '7.5'],
    ['>f8', '[[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]]'],
  ])('%s arrays of NumPy come in and go out again unchanged', async (dtype, values) => {
    const root = temporaryFolder();
    const { call } = await openDirectory({ importRoot: [root] });
    const saved = await numpy(
      `a = np.array(${values}, dtype="${dtype}"); b = io.BytesIO(); np.save(b, np.array(a, order="F")); print(base64.b64encode(b.getvalue()).decode())`,
    );
    writeFileSync(join(root, 'a.npy'), Buffer.from(saved, 'base64'));
    expect((await call('import_tensors', { path: 'a.npy' })).body).toMatchObject({ success: true });
    const { body } = await call('export_tensor', { name_or_uuid: 'a', format: 'npy' });
    writeFileSync(join(shared, 'out.npy'), readFileSync(String(body.path)));
    const check = `b = np.load(exported("out.npy", "out.npy"), allow_pickle=False); print(b.dtype == a.dtype.newbyteorder("="), b.shape == a.shape, np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), b.flags.c_contiguous)`;
    expect(await numpy(check)).toBe('True True True True');
  });

  test('archives come in whole, packed or not', async () => {
    const root = temporaryFolder();
    const { call } = await openDirectory({ importRoot: [root] });
    for (const save of ['savez', 'savez_compressed']) {
      const saved = await numpy(
        `b = io.BytesIO(); np.${save}(b, w=np.arange(12.).reshape(3, 4), b=np.ones(3, np.int8)); print(base64.b64encode(b.getvalue()).decode())`,
      );
      writeFileSync(join(root, `${save}.npz`), Buffer.from(saved, 'base64'));
      expect((await call('import_tensors', { path: `${save}.npz` })).body).toMatchObject({
        success: true,
        tensors: [
          { name: `${save}.w`, shape: [3, 4], dtype: 'float64' },
          { name: `${save}.b`, shape: [3], dtype: 'int8' },
        ],
      });
      expect((await call('get_tensor', { name_or_uuid: `${save}.w`, slice: '1, ::2' })).body.values).toEqual([4, 6]);
    }
  });

  test('slices, figures and histograms are those of NumPy', async () => {
    const root = temporaryFolder();
    const { call } = await openDirectory({ importRoot: [root] });
    const saved = await numpy(
      'np.random.seed(1); a = np.random.randn(7, 11, 5); b = io.BytesIO(); np.save(b, a); print(base64.b64encode(b.getvalue()).decode())',
    );
    writeFileSync(join(root, 'a.npy'), Buffer.from(saved, 'base64'));
    await call('import_tensors', { path: 'a.npy' });
    for (const slice of ['0', '-1, ::-2', '..., 1:4:2', '2:5, 3, -2:', ':, 10:0:-3, 0', '6:2', '...', '1, 2, 3']) {
      const expected = JSON.parse(await numpy(`import json; print(json.dumps(a[${slice}].tolist()))`));
      expect((await call('get_tensor', { name_or_uuid: 'a', slice })).body.values, slice).toEqual(expected);
    }
    const { body } = await call('describe_tensor', { name_or_uuid: 'a', bins: 13 });
    const figures = JSON.parse(
      await numpy(
        'import json; h, e = np.histogram(a, bins=13); print(json.dumps([a.mean(), a.std(), a.min(), a.max(), h.tolist(), e.tolist()]))',
      ),
    );
    const { statistics, histogram } = body as {
      statistics: Record<string, number>;
      histogram: { edges: number[]; counts: number[] };
    };
    expect(statistics.mean).toBeCloseTo(figures[0], 12);
    expect(statistics.std).toBeCloseTo(figures[1], 12);
    expect([statistics.min, statistics.max]).toEqual([figures[2], figures[3]]);
    expect(histogram.counts).toEqual(figures[4]);
    expect(histogram.edges).toEqual(figures[5]);
  });
});
