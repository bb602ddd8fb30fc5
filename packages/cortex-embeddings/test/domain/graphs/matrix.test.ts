import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnLengths, columnsOf, quantised, rowsOf } from '../../../src/domain/graphs/matrix.ts';

const columns = 3;
const matrices = fc
  .array(fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: columns, maxLength: columns }), {
    minLength: 2,
    maxLength: 40,
  })
  .map((rows) => Float32Array.from(rows.flat()));
const byteSteps = fc.double({ min: 1e-3, max: 1, noNaN: true });

describe('a matrix in int8', () => {
  test('never saturates where the products of two neighbours are added in 16 bits', () => {
    fc.assert(
      fc.property(matrices, byteSteps, (matrix, step) => {
        const { values } = quantised(matrix, columns, step);
        for (let i = 0; i < values.length; i++) {
          const [value, below] = [values[i]!, values[i + columns] ?? 0];
          expect(Math.abs(value)).toBeLessThanOrEqual(127);
          expect(255 * (Math.max(value, 0) + Math.max(below, 0))).toBeLessThanOrEqual(32_767);
          expect(255 * (Math.min(value, 0) + Math.min(below, 0))).toBeGreaterThanOrEqual(-32_768);
        }
      }),
    );
  });

  test('is off by half a step at most', () => {
    fc.assert(
      fc.property(matrices, byteSteps, (matrix, step) => {
        const { values, scales } = quantised(matrix, columns, step);
        for (const [i, value] of matrix.entries()) {
          const scale = scales[i % columns]!;
          expect(Math.abs(values[i]! * scale - value * step)).toBeLessThanOrEqual(scale / 2 + 1e-9);
        }
      }),
    );
  });

  test('has scales so short that any sum of products below 2^19 times its scale is exact', () => {
    fc.assert(
      fc.property(matrices, byteSteps, fc.integer({ min: -(2 ** 19) + 1, max: 2 ** 19 - 1 }), (matrix, step, sum) => {
        for (const scale of quantised(matrix, columns, step).scales) expect(Math.fround(sum * scale)).toBe(sum * scale);
      }),
    );
  });

  test('is all zero for a column without values, with a scale that does no harm', () => {
    const { values, scales } = quantised(new Float32Array(6), columns, 0.1);
    expect([...values]).toEqual([0, 0, 0, 0, 0, 0]);
    expect([...scales]).toEqual([1, 1, 1]);
  });
});

test('columns and rows can be chosen, repeated and left empty', () => {
  const matrix = Float32Array.from([1, 2, 3, 4, 5, 6]);
  expect([...columnsOf(matrix, 3, [2, undefined, 0, 0])]).toEqual([3, 0, 1, 1, 6, 0, 4, 4]);
  expect([...rowsOf(matrix, 3, [1, 0, 1])]).toEqual([4, 5, 6, 1, 2, 3, 4, 5, 6]);
  expect([...columnLengths(Float32Array.from([3, 0, 4, 2]), 2)]).toEqual([5, 2]);
});
