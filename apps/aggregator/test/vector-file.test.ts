import { expect, test } from 'vitest';
import { decodeVectors, encodeVectors } from '../src/search/vector-file.ts';

const VECTORS = new Map([
  ['one', new Float32Array([0.5, -0.25])],
  ['__proto__', new Float32Array([1, 2, 3])],
]);

test('vectors are read as they were written, whatever their keys and lengths', () => {
  const written = encodeVectors(VECTORS);
  expect(decodeVectors(written)).toEqual(VECTORS);
  // As part of a larger buffer, where numbers do not begin at multiples of their size.
  const moved = new Uint8Array(written.length + 1);
  moved.set(written, 1);
  expect(decodeVectors(moved.subarray(1))).toEqual(VECTORS);
  expect(decodeVectors(encodeVectors(new Map()))).toEqual(new Map());
});

test('of a file that is cut off, or longer than it says, nothing is read', () => {
  const written = encodeVectors(VECTORS);
  for (let length = 0; length < written.length; length++) {
    let found: unknown;
    try {
      found = decodeVectors(written.subarray(0, length));
    } catch {
      // A header that is no JSON.
      found = new Map();
    }
    expect(found).toEqual(new Map());
  }
  expect(decodeVectors(Buffer.concat([written, Buffer.alloc(4)]))).toEqual(new Map());
});

test('a vector with what is not a number is left out', () => {
  const bad = new Map([['bad', new Float32Array([1, Number.NaN])], ...VECTORS]);
  expect(decodeVectors(encodeVectors(bad))).toEqual(VECTORS);
});
