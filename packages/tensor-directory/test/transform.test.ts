import { createPythonRuntime } from '@atoll-mcp/sandbox';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseExpression } from '../src/domain/transform/expression-parser.ts';
import { TransformFault } from '../src/domain/transform/numeric.ts';
import { openDirectory } from './directory.ts';
import { needsPython } from './python.ts';

const MATRIX = [
  [1.5, -2, 3.25, 0.5],
  [4, 5.125, -6, 7],
  [0.1, 0.2, 0.3, -0.4],
];
const INTS = [
  [3, -1, 2, 7],
  [5, 0, -4, 9],
  [1, 1, 2, -8],
];

describe('as NumPy does it', needsPython, () => {
  const python = createPythonRuntime();
  let session: Awaited<ReturnType<typeof python.open>>;
  beforeAll(async () => {
    session = await python.open();
  }, 120_000);
  afterAll(() => python.close());

  /** Steps, and the same in NumPy, where `a` is the tensor and `m`, `v` are others. */
  test.each<[dtype: string, steps: unknown[], numpy: string]>([
    ['float64', [{ do: 'slice', slice: '1:, ::-2' }], 'a[1:, ::-2]'],
    ['int8', [{ do: 'slice', slice: '-1' }], 'a[-1]'],
    ['float32', [{ do: 'reshape', shape: [2, -1] }], 'a.reshape(2, -1)'],
    ['int64', [{ do: 'transpose' }], 'a.T'],
    [
      'float32',
      [
        { do: 'reshape', shape: [2, 3, 2] },
        { do: 'transpose', axes: [1, -1, 0] },
      ],
      'a.reshape(2, 3, 2).transpose(1, 2, 0)',
    ],
    ['int64', [{ do: 'cast', dtype: 'float16' }], 'a.astype("float16")'],
    ['float64', [{ do: 'cast', dtype: 'float32' }], 'a.astype("float32")'],
    ['float64', [{ do: 'normalise' }], '(a - a.mean()) / a.std()'],
    [
      'float64',
      [{ do: 'normalise', method: 'minmax', axis: 0 }],
      '(a - a.min(axis=0)) / (a.max(axis=0) - a.min(axis=0))',
    ],
    [
      'float32',
      [{ do: 'normalise', method: 'l2', axis: -1 }],
      'a / np.sqrt((a.astype("f8")**2).sum(axis=-1, keepdims=True)).astype("f4")',
    ],
    ['float64', [{ do: 'concatenate', with: ['m'], axis: 1 }], 'np.concatenate([a, m], axis=1)'],
    ['int64', [{ do: 'concatenate', with: ['m', 'm'] }], 'np.concatenate([a, m, m])'],
    ['float64', [{ do: 'stack', with: ['m'], axis: -1 }], 'np.stack([a, m], axis=-1)'],
    ['int8', [{ do: 'reduce', function: 'sum', axis: 1 }], 'a.sum(axis=1)'],
    ['float32', [{ do: 'reduce', function: 'mean' }], 'np.array(a.mean())'],
    ['float64', [{ do: 'reduce', function: 'std', axis: 0, keepdims: true }], 'a.std(axis=0, keepdims=True)'],
    ['float64', [{ do: 'reduce', function: 'argmax', axis: 1 }], 'a.argmax(axis=1)'],
    ['int64', [{ do: 'reduce', function: 'prod', axis: 0 }], 'a.prod(axis=0)'],
    ['int16', [{ do: 'reduce', function: 'max' }], 'np.array(a.max())'],
    ['int64', [{ do: 'reduce', function: 'any', axis: 0 }], 'a.any(axis=0)'],
    ['float64', [{ do: 'transpose' }, { do: 'matmul', with: 'm' }], 'a.T @ m'],
    ['float64', [{ do: 'matmul', with: 'v' }], 'a @ v'],
    ['float64', ['(a - mean(a)) / std(a)'], '(a - a.mean()) / a.std()'],
    ['float32', ['a * 2 + 1.5'], 'a * 2 + 1.5'],
    ['int32', ['a * 2'], 'a * 2'],
    ['int32', ['a / 2'], 'a / 2'],
    ['int64', ['a // 2 + a % 3'], 'a // 2 + a % 3'],
    ['int64', ['-a ** 2'], '-a ** 2'],
    ['float64', ['2 ** 3 ** 2 - a'], '2 ** 3 ** 2 - a'],
    ['float64', ['1 - 2 - a * 3 / 4'], '1 - 2 - a * 3 / 4'],
    ['float64', ['a > 0'], 'a > 0'],
    ['float64', ['where(a > 0, a, 0.1 * a)'], 'np.where(a > 0, a, 0.1 * a)'],
    ['float64', ['clip(a, -1, 2)'], 'np.clip(a, -1, 2)'],
    ['float64', ['exp(a) + sqrt(abs(a)) - tanh(a)'], 'np.exp(a) + np.sqrt(np.abs(a)) - np.tanh(a)'],
    ['float64', ['round(a * 2)'], 'np.round(a * 2)'],
    ['float64', ['a / sum(a, axis=1, keepdims=True)'], 'a / a.sum(axis=1, keepdims=True)'],
    ['float64', ['softmax(a, axis=0)'], 'np.exp(a - a.max(axis=0)) / np.exp(a - a.max(axis=0)).sum(axis=0)'],
    ['float64', [{ do: 'expression', expression: 'a @ transpose(b) + c', with: { b: 'm', c: 'm3' } }], 'a @ m.T + m3'],
    ['float16', ['a + a'], 'a + a'],
    ['uint8', ['a + 1'], 'a + 1'],
    ['float64', ['log(a - 100)'], 'np.log(a - 100)'],
  ])('%s %j', async (dtype, steps, numpy) => {
    const { upload, call } = await openDirectory();
    const isWhole = !dtype.startsWith('float');
    const values = dtype === 'uint8' ? INTS.map((row) => row.map(Math.abs)) : isWhole ? INTS : MATRIX;
    await upload('x', values, { dtype });
    await upload('m', MATRIX.toReversed());
    await upload('m3', [1, 2, 3]);
    await upload('v', [0.5, -1, 2, 3.5]);
    const { body } = await call('transform_tensor', { name_or_uuid: 'x', steps, output_name: 'y' });
    expect(body).toMatchObject({ success: true, name: 'y' });
    const got = (await call('get_tensor', { name_or_uuid: 'y' })).body;
    const code = `import numpy as np, json
np.seterr(all="ignore")
a = np.array(${JSON.stringify(values)}, dtype="${dtype}"); m = np.array(${JSON.stringify(MATRIX.toReversed())}); m3 = np.array([1, 2, 3]); v = np.array([0.5, -1, 2, 3.5])
r = np.asarray(${numpy})
print(json.dumps({"dtype": str(r.dtype), "shape": list(r.shape), "values": r.tolist()}))`;
    const { stdout, failure } = await session.run(code);
    expect(failure).toBeUndefined();
    const wanted = JSON.parse(stdout.replaceAll(/\bNaN\b/g, '"NaN"').replaceAll(/-?\bInfinity\b/g, '"$&"'));
    expect({ dtype: got.dtype, shape: got.shape }).toEqual({ dtype: wanted.dtype, shape: wanted.shape });
    const flat = (list: unknown) => [list].flat(Number.POSITIVE_INFINITY) as (number | string | boolean)[];
    const precision = wanted.dtype === 'float32' ? 1e-6 : wanted.dtype === 'float16' ? 1e-3 : 1e-13;
    for (const [i, value] of flat(got.values).entries()) {
      const expected = flat(wanted.values)[i]!;
      if (typeof expected !== 'number') expect(value).toBe(expected);
      else expect(Math.abs(Number(value) - expected)).toBeLessThanOrEqual(precision * Math.max(1, Math.abs(expected)));
    }
  });
});

test('steps follow each other, and the result knows where it comes from', async () => {
  const { upload, call, ask } = await openDirectory();
  const x = await upload('x', INTS);
  const m = await upload('m', [1, 1, 1, 1]);
  const steps = [{ do: 'matmul', with: 'm' }, 'a * 10', { do: 'reduce', function: 'max' }];
  const { body } = await call('transform_tensor', { name_or_uuid: 'x', steps, output_name: 'best' });
  const got = (await call('get_tensor', { name_or_uuid: 'best' })).body;
  expect(got).toMatchObject({ values: 110, shape: [], dtype: 'int64' });
  expect((got.metadata as { lineage: unknown }).lineage).toMatchObject({
    inputs: { a: x, 'steps[0].with': m },
    steps: [
      { do: 'matmul', with: 'm' },
      { do: 'expression', expression: 'a * 10' },
      { do: 'reduce', function: 'max' },
    ],
  });
  expect(body.message).toBe(`Tensor 'x' was transformed. Output tensor saved as 'best' (UUID: ${body.uuid}).`);
  expect(await ask('Where does best come from?')).toContain("was made by transform_tensor from a = 'x'");
  expect(await ask('what was made from x?')).toContain("Name='best'");
  const again = await call('transform_tensor', { name_or_uuid: 'x', steps, output_name: 'best' });
  expect(String(again.body.name)).toMatch(/^best_\d{8}_\d{6}_[0-9a-f]{8}$/);
});

test.each<[steps: unknown[], message: string]>([
  [[{ do: 'slice', slice: '9' }], 'step 1 (slice): index 9 is out of bounds for axis 0 with size 3'],
  [[{ do: 'reshape', shape: [5, -1] }], '12 value(s) of shape (3, 4) cannot be reshaped to (5, -1)'],
  [[{ do: 'transpose', axes: [0, 0] }], 'axes must name each of the 2 axes once'],
  [['a * 1000', { do: 'cast', dtype: 'int8' }], 'step 2 (cast): a result is 3000, which does not fit int8'],
  [[{ do: 'concatenate', with: ['v'] }], 'the shapes (3, 4) and (3,) differ'],
  [[{ do: 'stack', with: ['v'] }], 'so they cannot be stacked'],
  [[{ do: 'reduce', function: 'sum', axis: 5 }], 'axis 5 is out of bounds for 2 dimension(s)'],
  [[{ do: 'matmul', with: 'v' }], 'the inner sizes differ'],
  [['a +'], 'the expression "a +" ends too early'],
  [['a + b'], "unknown name 'b' in the expression; known are a, pi"],
  [['eval(a)'], "unknown function 'eval'; known are sum"],
  [['a.__class__'], '"." at 2 in the expression'],
  [['a < 1 < 2'], '"<" at 7 in the expression'],
  [['mean(a, axis=7)'], 'axis 7 is out of bounds'],
  [['mean(a, b=7)'], "mean() has no option 'b'"],
  [['mean(a, a)'], 'mean() takes 1 tensor(s), and 2 are given'],
  [['a // 0'], 'of integers by zero'],
  [['a * 9007199254740992'], 'does not fit int64'],
  [['a * 0', { do: 'normalise' }], 'values that are all the same cannot be normalised'],
  [[`${'('.repeat(500)}a${')'.repeat(500)}`], 'nested too deeply'],
])('%j is refused with the step and the reason', async (steps, message) => {
  const { upload, call } = await openDirectory();
  await upload('x', INTS);
  await upload('v', [1, 2, 3]);
  const { body, isError } = await call('transform_tensor', { name_or_uuid: 'x', steps });
  expect(isError).toBe(true);
  expect(body.message).toContain("Cannot transform tensor 'x': step ");
  expect(body.message).toContain(message);
  expect((await call('list_tensors')).body.total_items_in_collection).toBe(2);
});

test('a product that would be too large is refused before it is made, in a step and in an expression', async () => {
  const { call } = await openDirectory();
  const column = { do: 'reshape', shape: [9000, 1] };
  await call('upload_tensor', { name: 'line', description: 'x', tensor_data: [Array.from({ length: 9000 }, () => 1)] });
  for (const step of [{ do: 'matmul', with: 'line' }, 'sum(a @ transpose(a))', 'sum(matmul(a, transpose(a)))']) {
    const { body } = await call('transform_tensor', { name_or_uuid: 'line', steps: [column, step] });
    expect(body.message).toContain('a result of shape (9000, 9000) is too large');
  }
});

test('a result that would be too large is refused before it is made', async () => {
  const { upload, call } = await openDirectory({ maxTensorBytes: 100_000 });
  await upload(
    'x',
    Array.from({ length: 1_000 }, (_, i) => [i]),
  );
  const { body } = await call('transform_tensor', { name_or_uuid: 'x', steps: ['a + transpose(a)'] });
  expect(body.message).toContain('a result of shape (1000, 1000) is too large');
});

test('integers beyond 2^53 are moved as they are, and not computed with', async () => {
  const { upload, call } = await openDirectory();
  await upload('x', ['9007199254740993', 1]);
  await call('transform_tensor', { name_or_uuid: 'x', steps: [{ do: 'slice', slice: '::-1' }], output_name: 'y' });
  expect((await call('get_tensor', { name_or_uuid: 'y' })).body.values).toEqual([1, '9007199254740993']);
  const { body } = await call('transform_tensor', { name_or_uuid: 'x', steps: ['a + 1'] });
  expect(body.message).toContain('beyond 2^53 nothing is computed');
});

test('unknown steps and tensors are named', async () => {
  const { upload, call } = await openDirectory();
  await upload('x', [1, 2]);
  expect((await call('transform_tensor', { name_or_uuid: 'nope', steps: ['a'] })).body.message).toBe(
    "Tensor 'nope' not found.",
  );
  const missing = await call('transform_tensor', { name_or_uuid: 'x', steps: [{ do: 'matmul', with: 'nope' }] });
  expect(missing.body.message).toBe("Tensor 'nope' not found.");
  expect((await call('transform_tensor', { name_or_uuid: 'x', steps: [{ do: 'explode' }] })).isError).toBe(true);
  expect((await call('transform_tensor', { name_or_uuid: 'x', steps: [] })).isError).toBe(true);
});

test('any text is an expression or a fault, and takes no long time', () => {
  const piece = fc.constantFrom(
    'a',
    'mean',
    '(',
    ')',
    '+',
    '-',
    '**',
    '*',
    '/',
    ',',
    '=',
    '1',
    '.5',
    'axis',
    ' ',
    '<',
    '@',
    '$',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          expect(error).toBeInstanceOf(TransformFault);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
