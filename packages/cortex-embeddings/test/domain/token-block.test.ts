import { expect, test } from 'vitest';
import { packTexts } from '../../src/domain/token-block.ts';

const text = (length: number, first = 1) => Int32Array.from({ length }, (_, i) => first + i);

test('texts of nearly the same length share a block, others do not', () => {
  const blocks = packTexts([text(4), text(100), text(10), text(9), text(98), text(8)]);
  expect(blocks.map(({ indices }) => indices)).toEqual([[1, 4], [2, 3, 5], [0]]);
});

test('a block holds no more tokens than one long text', () => {
  const blocks = packTexts(Array.from({ length: 60 }, () => text(12)));
  expect(blocks.map(({ indices }) => indices.length)).toEqual([21, 21, 18]);
  expect(packTexts([text(256), text(256)])).toHaveLength(2);
  expect(packTexts([text(400)])).toHaveLength(1);
});

test('without room for more, each text has a block of its own', () => {
  expect(packTexts([text(3), text(3), text(2)], 0).map(({ indices }) => indices)).toEqual([[0], [1], [2]]);
});

test('a shorter text is filled up with its last token, which is absent', () => {
  const [block] = packTexts([text(4, 10), text(3, 20)]);
  expect(block).toEqual({
    indices: [0, 1],
    tokens: 4,
    ids: Int32Array.of(10, 20, 11, 21, 12, 22, 13, 22),
    places: Int32Array.of(0, 0, 1, 1, 2, 2, 3, 2),
    present: Float32Array.of(1, 1, 1, 1, 1, 1, 1, 0),
  });
});

test('every text is in one block, whatever comes', () => {
  const texts = Array.from({ length: 300 }, (_, i) => text(2 + ((i * 7919) % 255)));
  const placed = packTexts(texts).flatMap(({ indices }) => indices);
  expect(placed.sort((a, b) => a - b)).toEqual([...texts.keys()]);
  expect(packTexts([])).toEqual([]);
});
