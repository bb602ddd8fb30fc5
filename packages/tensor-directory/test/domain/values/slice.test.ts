import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planReads } from '../../../src/domain/values/read-plan.ts';
import { cutPicks, pickedShape, resolveSlice } from '../../../src/domain/values/slice.ts';

test.each([
  [undefined, [3, 4], [3, 4]],
  ['', [3, 4], [3, 4]],
  ['1', [3, 4], [4]],
  ['1, -1', [3, 4], []],
  ['0:2', [3, 4], [2, 4]],
  [':, ::2', [3, 5], [3, 3]],
  ['::-1', [3], [3]],
  ['...', [3, 4], [3, 4]],
  ['..., 0', [2, 3, 4], [2, 3]],
  ['0, ..., 1:', [2, 3, 4], [3, 3]],
  ['[0:10, :]', [3, 4], [3, 4]],
  ['5:2', [9], [0]],
  ['-2:', [9], [2]],
  ['100:200', [9], [0]],
  ['0:2,', [3, 4], [2, 4]],
])('%s of %j has the shape %j', (text, shape, expected) => {
  expect(pickedShape(resolveSlice(text, shape))).toEqual(expected);
});

test.each([
  ['3', [3], 'index 3 is out of bounds for axis 0 with size 3'],
  ['-4', [3], 'index -4 is out of bounds'],
  ['0, 0, 0', [3, 4], 'has 3 indices, but the tensor has 2 dimensions'],
  ['..., ...', [3, 4], 'more than one "..."'],
  ['::0', [3], 'zero'],
  ['a', [3], '"a" in the slice "a" is not understood'],
  ['1.5', [3], 'is not understood'],
  ['0,,1', [3, 4, 5], 'is not understood'],
  ['None', [3], 'is not understood'],
  ['[[0, 1]]', [3, 4], 'is not understood'],
  ['0', [], 'has 1 indices, but the tensor has 0 dimensions'],
  ['1:2:3:4', [3], 'is not understood'],
])('%s of %j is refused', (text, shape, message) => {
  expect(() => resolveSlice(text, shape)).toThrow(message);
});

test.each([
  [[100, 200], 10_000, [50, 200]],
  [[100, 200], 10, [1, 10]],
  [[100, 200, 3], 10, [1, 3, 3]],
  [[5], 5, [5]],
  [[7, 1], 3, [3, 1]],
])('%j is cut to %i values as %j', (shape, most, expected) => {
  const { picks, truncated } = cutPicks(resolveSlice(undefined, shape), most);
  expect(pickedShape(picks)).toEqual(expected);
  expect(truncated).toBe(expected.join() !== shape.join());
});

/** Takes a slice the slow and obvious way. */
function naive(shape: readonly number[], text: string): number[] {
  const picks = resolveSlice(text, shape);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
  const taken: number[] = [];
  const walk = (axis: number, at: number): void => {
    if (axis === shape.length) taken.push(at);
    else
      for (let i = 0; i < picks[axis]!.count; i++)
        walk(axis + 1, at + (picks[axis]!.start + i * picks[axis]!.step) * strides[axis]!);
  };
  walk(0, 0);
  return taken;
}

const part = (size: number) =>
  fc.oneof(
    fc.integer({ min: -size, max: size - 1 }).map(String),
    fc
      .tuple(
        fc.option(fc.integer({ min: -9, max: 9 })),
        fc.option(fc.integer({ min: -9, max: 9 })),
        fc.constantFrom(1, 2, 3, -1, -2),
      )
      .map(([a, b, c]) => `${a ?? ''}:${b ?? ''}:${c}`),
    fc.constant(':'),
  );

test('planned reads gather what the slice means, whatever the slice', () => {
  const cases = fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })
    .chain((shape) => fc.tuple(fc.constant(shape), fc.tuple(...shape.map(part))));
  fc.assert(
    fc.property(cases, ([shape, parts]) => {
      const text = parts.join(', ');
      const file = Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i % 251);
      const expected = naive(shape, text);
      const out = new Uint8Array(expected.length);
      for (const { offset, length, pieces } of planReads(shape, resolveSlice(text, shape), 1)) {
        const read = file.subarray(offset, offset + length);
        expect(read.length).toBe(length);
        for (const piece of pieces) out.set(read.subarray(piece.from, piece.from + piece.length), piece.to);
      }
      expect([...out]).toEqual(expected.map((i) => i % 251));
    }),
    { numRuns: 500 },
  );
});

test('a column of a large tensor is read in bounded windows, not whole', () => {
  const shape = [100_000, 1_000];
  const windows = [...planReads(shape, resolveSlice('0:1000, 5', shape), 8)];
  const bytes = windows.reduce((sum, { length }) => sum + length, 0);
  expect(Math.max(...windows.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024);
  expect(bytes).toBeLessThan(9_000_000);
  expect(windows.length).toBeLessThan(100);
});
