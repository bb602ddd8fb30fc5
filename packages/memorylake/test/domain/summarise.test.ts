import { expect, test } from 'vitest';
import { summariseFile } from '../../src/domain/summarise.ts';

test('sentences that only share small words are not the telling ones', () => {
  const telling = [
    'The turbine of the plant at Ghent was repaired in spring.',
    'Its turbine blades came from Ghent.',
    'A second turbine joins the plant in autumn.',
    'The plant sells power of the turbine to Ghent.',
  ];
  const small = [
    'These are there because they were very close before those.',
    'Those were there before, where they only stood because of these.',
    'They are those because these were very early there before.',
  ];
  const facts = {
    title: undefined,
    headings: [],
    sheets: [],
    documentTables: [],
    pages: 0,
    lines: 7,
    tables: 0,
    figures: 0,
    chunks: 1,
  };
  const text = [telling[0], ...small, ...telling.slice(1)].join(' ');
  expect(summariseFile('txt', facts, text)).toBe(`Text, 7 lines. ${telling.join(' ')}`);
});
