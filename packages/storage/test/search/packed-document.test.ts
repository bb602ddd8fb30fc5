import { expect, test } from 'vitest';
import { packed, unpacked } from '../../src/search/packed-document.ts';

test('a document that was packed for another thread is the same there, whatever its terms', () => {
  const lists = [['tide', 'tide', '河'], [], [''], ['', ''], ['a\u0000b', 'c'], ['\u0000'], ['\ud800']];
  const document = { id: 'a', attributes: { b: 1 }, chunks: lists.map((terms) => ({ terms, payload: { c: 1 } })) };
  const sent = structuredClone(packed(document));
  expect(unpacked(sent)).toMatchObject(document);
  expect(unpacked(sent).chunks.map(({ terms }) => terms)).toEqual(lists);
});
