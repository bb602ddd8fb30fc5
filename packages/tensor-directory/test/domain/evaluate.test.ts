import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluate } from '../../src/domain/transform/evaluate.ts';
import type { Numeric } from '../../src/domain/transform/numeric.ts';
import { transform } from '../../src/domain/transform/transform.ts';

const A = [1.5, -2, 3, 0, 7, -0.5];
const B = [2, 4, -1, 5, 0.25, 3];
const tensor = (values: readonly number[], shape: readonly number[]): Numeric => ({
  dtype: 'float64',
  shape,
  values: Float64Array.from(values),
});
const names = () => ({ a: tensor(A, [2, 3]), b: tensor(B, [2, 3]), row: tensor([10, 20, 30], [3]) });

interface Tree {
  readonly text: string;
  readonly at: (i: number) => number;
}

const leaf: fc.Arbitrary<Tree> = fc.constantFrom<Tree>(
  { text: 'a', at: (i) => A[i]! },
  { text: 'b', at: (i) => B[i]! },
  { text: '(row * 1)', at: (i) => (1 + (i % 3)) * 10 },
  { text: '2.5', at: () => 2.5 },
  { text: 'sum(a)', at: () => A.reduce((sum, x) => sum + x) },
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.tuple(fc.constantFrom('+', '-', '*'), tie('tree'), tie('tree')).map(([sign, x, y]) => ({
      text: `(${x.text} ${sign} ${y.text})`,
      at: (i: number) => (sign === '+' ? x.at(i) + y.at(i) : sign === '-' ? x.at(i) - y.at(i) : x.at(i) * y.at(i)),
    })),
    tie('tree').map((x) => ({ text: `(-${x.text})`, at: (i: number) => -x.at(i) })),
    tie('tree').map((x) => ({ text: `abs(${x.text})`, at: (i: number) => Math.abs(x.at(i)) })),
    fc.tuple(tie('tree'), tie('tree')).map(([x, y]) => ({
      text: `maximum(${x.text}, ${y.text})`,
      at: (i: number) => Math.max(x.at(i), y.at(i)),
    })),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([m, x, y]) => ({
      text: `where(${m.text} > 0, ${x.text}, ${y.text})`,
      at: (i: number) => (m.at(i) > 0 ? x.at(i) : y.at(i)),
    })),
  ),
}));

test('work in place of temporaries gives the same values, and leaves the tensors alone', () => {
  fc.assert(
    fc.property(tree, ({ text, at }) => {
      const given = names();
      const { values } = evaluate(`(${text}) + 0 * a`, given, 100);
      for (const [i, value] of values.entries()) expect(value + 0).toBeCloseTo(at(i) + 0, 6);
      expect([...given.a.values, ...given.b.values, ...given.row.values]).toEqual([...A, ...B, 10, 20, 30]);
    }),
    { numRuns: 500 },
  );
});

const large = () => ({ a: tensor(Array(1_000).fill(2), [1_000]) });
const nested = (depth: number): string => (depth === 0 ? 'a' : `(a * ${depth}) + (${nested(depth - 1)})`);

test.each([
  ['(a - mean(a)) / std(a)', 2],
  ['softmax(a)', 2],
  ['clip(abs(-a) * 2 + 1, 0, 3)', 2],
  ['((((a + 1) * 2) - 3) / 4) ** 2 + sqrt(a)', 3],
  ['where(a > 1, a * 2, a * 3)', 4],
])('%s needs memory for %i tensors of this size, the given one among them', (text, tensors) => {
  expect(evaluate(text, large(), 1_000, tensors * 1_000 + 20).shape).toEqual([1_000]);
  expect(() => evaluate(text, large(), 1_000, (tensors - 1) * 1_000 + 20)).toThrow('values in memory at one time');
});

test('temporaries are bounded together, however an expression is nested', () => {
  expect(() => evaluate(nested(20), large(), 1_000, 10_000)).toThrow(
    'it needs 11000 values in memory at one time, and at most 10000 are allowed; do it in several steps, or slice it first',
  );
  for (const text of ['transpose(a * 2)', 'sum(a * 2, axis=0, keepdims=True) + a', 'a * (a @ a)']) {
    expect(() => evaluate(text, large(), 1_000, 1_000)).toThrow('values in memory at one time');
  }
});

test('inputs that are small as they are stored count as what they take to compute with', () => {
  const shape = [2 ** 26];
  const start = { dtype: 'bool' as const, shape, data: new Uint8Array(2 ** 26) };
  const others = { b: { ...start }, c: { ...start } };
  const step = { do: 'expression' as const, expression: 'a + b + c', with: { b: 'b', c: 'c' } };
  expect(() => transform(start, [step], others, 2 ** 30)).toThrow(
    'step 1 (expression): its inputs have 201326592 values',
  );
});
