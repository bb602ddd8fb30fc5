import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, csvText, readCsvRecord } from '../src/csv.ts';

function recordsOf(file: string, separator = ','): string[][] {
  const text = csvText(file);
  const records: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const cells: string[] = [];
    at = readCsvRecord(text, at, separator, (cell) => cells.push(cell));
    records.push(cells);
  }
  return records;
}

test('what is written is read again, whatever is in the cells', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ä', ';') });
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, (records) => {
      expect(recordsOf(records.map(csvLine).join(''))).toEqual(records);
    }),
  );
});

test.each([
  [
    '\uFEFFa,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r1,2\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['"a, ""b""",c\n', [['a, "b"', 'c']]],
  ['"a\nb",c', [['a\nb', 'c']]],
  ['"a" kept,b\n', [['a kept', 'b']]],
  ['"a" ,b\n', [['a', 'b']]],
  ['1, "a, b", "c"\r\n', [['1', 'a, b', 'c']]],
  [
    '"a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'x,"a\n1,2\n3,"b"\n',
    [
      ['x', 'a'],
      ['1', '2'],
      ['3', 'b'],
    ],
  ],
  ['1, "a" and more, c', [['1', ' "a" and more', ' c']]],
  ['1, "never closed, c\n2', [['1', ' "never closed', ' c'], ['2']]],
  ['"never closed', [['never closed']]],
])('%j is read', (text, records) => {
  expect(recordsOf(text)).toEqual(records);
});

test('objects are written as JSON, and missing values as empty cells', () => {
  expect(csvLine([1, null, undefined, true, { a: 'b' }, ' edge'])).toBe('1,,,true,"{""a"":""b""}"," edge"\n');
});
