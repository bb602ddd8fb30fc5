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

test('what a file misses stands in its summary, before its words', () => {
  const notices = ['The file ends in the middle of the mail'];
  const facts = { headings: [], documentTables: [], pages: 0, lines: 1, tables: 0, figures: 0, chunks: 1, notices };
  const ofText = summariseFile('eml', { ...facts, title: undefined, sheets: [] }, 'Low water comes at six today.');
  expect(ofText).toBe('Mail, 1 line. The file ends in the middle of the mail. Low water comes at six today.');
  const sheet = { name: 'A', rows: 1, firstRow: 1, lastRow: 1, columns: [], headerRow: undefined };
  const ofTable = summariseFile('csv', { ...facts, title: undefined, sheets: [sheet] }, '');
  expect(ofTable).toContain('CSV table. The file ends in the middle of the mail. Sheet');
});
