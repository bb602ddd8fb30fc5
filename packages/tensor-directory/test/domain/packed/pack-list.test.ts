import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WINDOW_BYTES } from '../../../src/domain/packed/decimal-kernel.ts';
import { packList } from '../../../src/domain/packed/pack-list.ts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 200);

function pack(text: string, before = '') {
  const packed = packList(Buffer.from(before + text), before.length);
  return packed && { shape: packed.list.shape, values: packed.list.blocks.flatMap((b) => [...b]), end: packed.end };
}

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
/** Decimals as anyone may write them, most of them longer than a double needs. */
const decimal = fc
  .tuple(
    fc.boolean(),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,22}$/)),
    fc.option(digits(25)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), digits(3))),
  )
  .map(([isNegative, whole, fraction, exponent]) =>
    [isNegative ? '-' : '', whole, fraction === null ? '' : `.${fraction}`, exponent?.join('') ?? ''].join(''),
  );
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
const space = fc.constantFrom('', '', '', ' ', '\n', '\t\r');

test('every decimal is the double that JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(decimal, double), { minLength: 1, maxLength: 50 }), space, (numbers, gap) => {
      const text = `[${gap}${numbers.join(`${gap},${gap}`)}${gap}]`;
      expect(pack(text)?.values).toEqual(JSON.parse(text));
    }),
    { numRuns: RUNS * 5 },
  );
});

test('decimals in the middle between two doubles go to the even one', () => {
  const middles: string[] = [];
  for (let i = 0; i < 20_000; i++) {
    const double = Math.floor(2 ** 52 + ((i * 7_919 * 104_729) % 2 ** 52));
    for (const more of [-1n, 0n, 1n]) middles.push(String(BigInt(double) * 2n * 2n + 2n + more));
    middles.push(`${double}.5`, `${double}.50`, `${double}.49999`, `${double}.500001`);
  }
  const text = `[${middles.join(',')}]`;
  expect(pack(text)?.values).toEqual(JSON.parse(text));
});

test('the ends of what a double can hold', () => {
  const text = `[${[
    '5e-324,4.9406564584124654e-324,2.4703282292062327e-324,2.4703282292062328e-324,2.2250738585072011e-308',
    '2.2250738585072014e-308,1.7976931348623157e308,1.7976931348623159e308,1e309,1e-400,0e999,-0,-0.0,0e-5',
    '9007199254740993,9007199254740992.99999999999999999999,1e22,1e23,123456789012345678901234567890,1E00000000000000000005',
  ].join()}]`;
  expect(pack(text)?.values).toEqual(JSON.parse(text));
});

test('numbers that come round to 0 past 64 bits', () => {
  const rounds = Array.from({ length: 40 }, (_, i) => String(2n ** 64n * BigInt(i * i + 1)));
  const text = `[${rounds.flatMap((digits) => [digits, `-${digits}0`, `${digits}e5`, `0.000${digits}`, `1.${digits}`, digits.replace(/.$/, '.$&')]).join()}]`;
  expect(pack(text)?.values).toEqual(JSON.parse(text));
});

test('nested lists of any shape, with spaces anywhere', () => {
  const shape = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 });
  const nested = (sizes: readonly number[], gap: string): string =>
    sizes.length === 0
      ? '1.5'
      : `${gap}[${gap}${Array.from({ length: sizes[0]! }, () => nested(sizes.slice(1), gap)).join(`${gap},`)}${gap}]`;
  fc.assert(
    fc.property(shape, space, (sizes, gap) => {
      const text = nested(sizes, gap).trim();
      const packed = pack(`${text},"rest"`, '{"a":');
      expect(packed).toMatchObject({ shape: sizes, end: 5 + text.length });
      expect(packed?.values).toHaveLength(sizes.reduce((product, size) => product * size, 1));
    }),
    { numRuns: RUNS },
  );
});

test('lists longer than the window, cut at every place of a number', () => {
  for (const entry of ['-12.75e-3', '[0.1234567890123456789,1e5]', '"-Infinity"', '"NaN"', '  7\n', '[[1],[2]]']) {
    const list = `[${`${entry},`.repeat(Math.ceil((1.1 * WINDOW_BYTES) / (entry.length + 1))).slice(0, -1)}]`;
    const plain = JSON.parse(list, (_, value) => (typeof value === 'string' ? Number(value) : value)).flat(9);
    for (let shift = 0; shift < entry.length + 1; shift++) {
      const packed = pack(list, ' '.repeat(shift));
      expect(packed?.values.length).toBe(plain.length);
      expect(packed?.values.every((value, i) => Object.is(value, plain[i]))).toBe(true);
    }
  }
});

test('what JSON has no numbers for comes as text', () => {
  expect(pack('[["NaN",1],["Infinity","-Infinity"]]')).toMatchObject({
    shape: [2, 2],
    values: [Number.NaN, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  });
});

test.each([
  ['empty', '[]'],
  ['with an empty row', '[[],[]]'],
  ['ragged', '[[1,2],[3]]'],
  ['of two depths', '[1,[2]]'],
  ['of two depths, the other way', '[[1],2]'],
  ['of truths', '[true,false]'],
  ['of nothing', '[null]'],
  ['with another text', '[1,"one"]'],
  ['with a text that begins like a number', '["NaNs",1]'],
  ['with a text that has no end', '["NaN,1]'],
  ['with a longer number than is sensible', `[1,${'1'.repeat(5_000)}]`],
  ['with a name that every object has', '[1,"constructor"]'],
  ['with a text that begins like another', '[1,"NaN-like"]'],
  ['with a sign before a text', '[-"NaN"]'],
  ['with an object', '[1,{"a":2}]'],
  ['too deep', `${'['.repeat(33)}1${']'.repeat(33)}`],
  ['not ended', '[1,2'],
  ['ended by a comma', '[1,]'],
  ['with no number between commas', '[1,,2]'],
  ['with no comma', '[1 2]'],
  ['with no comma between rows', '[[1][2]]'],
  ['with a leading zero', '[01]'],
  ['with a bare point', '[1.]'],
  ['with nothing before the point', '[.5]'],
  ['with a bare exponent', '[1e]'],
  ['with a signed bare exponent', '[1e+]'],
  ['with a plus', '[+1]'],
  ['with two signs', '[--1]'],
  ['with a bare minus', '[-]'],
  ['in hexadecimal', '[0x10]'],
  ['with a zero byte', '[1\0,2]'],
])('a list %s is left to JSON.parse', (_, text) => {
  expect(pack(text)).toBeUndefined();
});

test('no text is read otherwise than by JSON.parse', () => {
  const piece = fc.constantFrom('[', '[', ']', ']', ',', ',', ' ', '1', '0', '-2.5e3', '"NaN"', '{', '.', 'e');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = `[${pieces.join('')}`;
      const packed = pack(text);
      if (!packed) return;
      expect(hasShape(JSON.parse(text.slice(0, packed.end)), packed.shape)).toBe(true);
    }),
    { numRuns: RUNS * 20 },
  );
});

function hasShape(list: unknown, [size, ...rest]: readonly number[]): boolean {
  if (size === undefined) return typeof list === 'number' || list === 'NaN';
  return Array.isArray(list) && list.length === size && list.every((entry) => hasShape(entry, rest));
}
