import { type ComputedDtype, DTYPES, type Tensor, type TensorSource } from '@atoll-mcp/formats/dtypes';
import { halfToNumber, numberToHalf } from '@atoll-mcp/formats/narrow-floats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedList } from '../../../src/domain/packed/packed-list.ts';
import { elementsOf } from '../../../src/domain/values/elements.ts';
import { readNestedList } from '../../../src/domain/values/nested-list.ts';
import { nestedValues } from '../../../src/domain/values/values.ts';

/** All of a source at once. */
function whole({ dtype, shape, pieces }: TensorSource): Tensor {
  return { dtype, shape, data: new Uint8Array(Buffer.concat([...pieces()])) };
}

const read = (list: unknown[], dtype?: ComputedDtype, maxBytes = 1_000_000) =>
  whole(readNestedList(list, { field: 'tensor_data', dtype, maxBytes }));

test.each([
  [[1, 2, 3], 'int64', [3]],
  [[1, 2.5], 'float64', [2]],
  [[true, false], 'bool', [2]],
  [[true, 2], 'int64', [2]],
  [[true, 2.5], 'float64', [2]],
  [[['NaN', 1]], 'float64', [1, 2]],
  [[[]], 'float64', [1, 0]],
  [[[], []], 'float64', [2, 0]],
  [[1e20, 1], 'float64', [2]],
  [['9007199254740993', 1], 'int64', [2]],
  [[[[1]], [[2]]], 'int64', [2, 1, 1]],
])('%j becomes %s', (list, dtype, shape) => {
  const tensor = read(list as unknown[]);
  expect(tensor).toMatchObject({ dtype, shape });
});

test.each([
  [[[1, 2], [3]], 'tensor_data[1] has 1 item where a list of 2 items is expected'],
  [[[1, 2], 3], 'tensor_data[1] is a number where a list of 2 items is expected'],
  [[1, [2]], 'tensor_data[1] is a list where a number is expected'],
  [
    [
      [[1], [2]],
      [[3], [4, 5]],
    ],
    'tensor_data[1][1] has 2 items',
  ],
  [
    [
      [1, 2],
      [1, 2],
      [1, 'x'],
    ],
    'tensor_data[2][1] is the text "x"',
  ],
  [[[1, null]], 'tensor_data[0][1] is null'],
  [[{ a: 1 }], 'tensor_data[0] is an object'],
])('%j is refused at its place', (list, message) => {
  expect(() => read(list as unknown[])).toThrow(message);
});

test('more than 32 dimensions are refused, and 32 are not', () => {
  const nested = (depth: number): unknown[] => (depth === 1 ? [1] : [nested(depth - 1)]);
  expect(read(nested(32)).shape).toHaveLength(32);
  expect(() => read(nested(33))).toThrow('at most 32 dimensions');
});

test('what is too large is refused before anything is copied', () => {
  expect(() => read([1, 2, 3], 'float64', 16)).toThrow('tensor_data takes 24 bytes; at most 16 are allowed');
});

test.each([
  ['int8', [[1, 300]], 'tensor_data[0][1] is 300, which does not fit int8; it takes whole numbers from -128 to 127'],
  ['uint8', [-1], 'tensor_data[0] is -1, which does not fit uint8'],
  ['int32', [1.5], 'does not fit int32'],
  ['int64', [0.5], 'does not fit int64'],
  ['int64', [2 ** 60], 'larger ones as text'],
  ['int64', ['9223372036854775808'], 'does not fit int64'],
  ['uint64', [-1], 'does not fit uint64'],
  ['uint64', ['-9007199254740993'], 'does not fit uint64'],
  ['float16', [70000], 'does not fit float16'],
  ['float32', [1e39], 'does not fit float32'],
  ['bool', [2], 'does not fit bool; it takes true, false, 0 and 1'],
  ['int16', ['NaN'], 'does not fit int16'],
] as const)('%s refuses %j', (dtype, list, message) => {
  expect(() => read(list as unknown as unknown[], dtype)).toThrow(message);
});

test.each([
  [
    'int64',
    [
      [-1, 0],
      [4294967296, -4294967297],
    ],
    [
      [-1, 0],
      [4294967296, -4294967297],
    ],
  ],
  ['int64', ['9223372036854775807', '-9223372036854775808', 5], ['9223372036854775807', '-9223372036854775808', 5]],
  ['uint64', ['18446744073709551615', 1], ['18446744073709551615', 1]],
  ['float64', ['NaN', 'Infinity', '-Infinity', 1], ['NaN', 'Infinity', '-Infinity', 1]],
  ['float32', [0.5, 'NaN'], [0.5, 'NaN']],
  ['float16', [0.5, 65504, 'Infinity'], [0.5, 65504, 'Infinity']],
  ['bool', [true, 0, 1], [true, false, true]],
  ['int8', [-128, 127], [-128, 127]],
  ['uint16', [65535], [65535]],
] as const)('%s keeps %j', (dtype, list, values) => {
  expect(nestedValues(read(list as unknown as unknown[], dtype))).toEqual(values);
});

test('every half float survives the way there and back', () => {
  const all = Array.from({ length: 0x10000 }, (_, bits) => bits).filter((bits) => !Number.isNaN(halfToNumber(bits)));
  expect(all.filter((bits) => numberToHalf(halfToNumber(bits)) !== bits)).toEqual([]);
});

test('lists longer than a block keep their order, in every type and depth', () => {
  const count = 1_200_000;
  const long = Array.from({ length: count }, (_, i) => i % 1_000);
  for (const dtype of [undefined, 'float64', 'int16', 'int64', 'float32'] as const) {
    const { data, dtype: stored } = read(long, dtype, 100_000_000);
    const values = elementsOf(stored, data);
    expect(values.length).toBe(count);
    expect([0, 524_287, 524_288, 1_048_576, count - 1].map((i) => Number(values[i]))).toEqual([0, 287, 288, 576, 999]);
  }
  const columns = read(
    long.map((value) => [[value]]),
    undefined,
    100_000_000,
  );
  expect(columns.shape).toEqual([count, 1, 1]);
  expect(Number(elementsOf('int64', columns.data)[count - 1])).toBe(999);
  const mixed = [...long.slice(0, 600_000), '9223372036854775807', ...long.slice(0, 600_000)];
  expect(elementsOf('int64', read(mixed, undefined, 100_000_000).data)[600_000]).toBe(9223372036854775807n);
  expect(() => read([...long, 40_000], 'int16', 100_000_000)).toThrow(
    'tensor_data[1200000] is 40000, which does not fit int16',
  );
});

test('halves round to even', () => {
  expect(halfToNumber(numberToHalf(2049))).toBe(2048);
  expect(halfToNumber(numberToHalf(2051))).toBe(2052);
  expect(halfToNumber(numberToHalf(2 ** -25))).toBe(0);
  expect(numberToHalf(65519)).toBe(0x7bff);
  expect(numberToHalf(65520)).toBe(0x7c00);
});

test('a view at an odd address is read all the same', () => {
  const bytes = new Uint8Array(17);
  bytes.set(new Uint8Array(new Float64Array([1.5, -2]).buffer), 1);
  expect([...(elementsOf('float64', bytes.subarray(1)) as Float64Array)]).toEqual([1.5, -2]);
});

test('a packed list becomes the same as the nested one, or is refused with the same words', () => {
  const number = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.double(), fc.constantFrom(2 ** 60, -0, 65_519.9));
  const dtype = fc.constantFrom(undefined, ...DTYPES);
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 8 }), dtype, (rows, wanted) => {
      const flat = Float64Array.from(rows.flat());
      const packed = new PackedList([rows.length, 2], [flat.slice(0, 3), flat.slice(3)]);
      const outcome = (list: unknown[] | PackedList) => {
        try {
          const source = readNestedList(list, { field: 'tensor_data', dtype: wanted, maxBytes: 1_000 });
          return [whole(source), whole(source)];
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(outcome(packed)).toEqual(outcome(rows));
    }),
    { numRuns: 500 },
  );
});
