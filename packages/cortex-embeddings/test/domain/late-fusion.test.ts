import { expect, test } from 'vitest';
import { termScores } from '../../src/domain/late-fusion.ts';

test('small words of a question do not decide, and other forms of its words count', () => {
  const [stop, told] = termScores('Where does the cat sleep?', [
    'Where does the time go? The question is where the time does go.',
    'Cats are sleeping on a sofa.',
  ]);
  expect(stop).toBe(0);
  expect(told).toBeGreaterThan(0);
});

test('a document that holds one word of ten is not the best match that there can be', () => {
  const query = 'invoice harbour engine bridge customer refund order priority delay shipment';
  const [one, all] = [termScores(query, ['An invoice.', 'A letter.'])[0]!, termScores(query, [query, 'A letter.'])[0]!];
  expect(one).toBeLessThan(0.3);
  expect(all).toBeGreaterThan(one * 2);
  expect(all).toBeLessThanOrEqual(1);
});

test('a question of nothing but small words is compared by them', () => {
  const [same, other] = termScores('who are you', ['you are who', 'nothing']);
  expect(same).toBeGreaterThan(other!);
});
