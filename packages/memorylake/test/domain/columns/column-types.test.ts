import { expect, test } from 'vitest';
import { ColumnStats } from '../../../src/domain/columns/column-stats.ts';
import { planColumns, typeTable } from '../../../src/domain/columns/column-types.ts';
import type { Cell } from '../../../src/domain/document.ts';

function typed(...cells: Cell[]) {
  const { plans, rows } = typeTable(
    1,
    cells.map((cell) => [cell]),
  );
  const { type, share, examples, unit, note } = plans[0]!;
  return { type, share, examples, unit, note, values: rows.map(([value]) => value) };
}

test.each<[string, Cell[], string, unknown[]]>([
  ['blanks around', [' 99.99', '193.98 ', '\u00a05'], 'real', [99.99, 193.98, 5]],
  ['thousands', ['1,234', '12,345,678', '7'], 'integer', [1234, 12345678, 7]],
  ['thousands with decimals', ['1,234.50', '0.5'], 'real', [1234.5, 0.5]],
  ['Indian groups', ['12,34,567', '1,234'], 'integer', [1234567, 1234]],
  ['Swiss groups', ["1'234.50", '1’000’000'], 'real', [1234.5, 1000000]],
  ['blanks as groups', ['1 234,5', '1\u202f234\u202f567'], 'real', [1234.5, 1234567]],
  ['European decimals', ['1.234,56', '0,5', '12'], 'real', [1234.56, 0.5, 12]],
  ['European thousands beside decimals', ['1.234', '2,5'], 'real', [1234, 2.5]],
  ['a comma that can only be a decimal one', ['0,123', '1,234'], 'real', [0.123, 1.234]],
  ['a point with three decimals', ['1.234', '0.500'], 'real', [1.234, 0.5]],
  ['currency before', ['$1,200', '$ 3', '-$5', '$(7)', '($8.00)'], 'real', [1200, 3, -5, -7, -8]],
  ['currency after', ['12,50 €', '1.000,00 €'], 'real', [12.5, 1000]],
  ['currency codes', ['USD 12', 'USD 1,000.5'], 'real', [12, 1000.5]],
  ['percent', ['12%', '3.5 %', '-1%'], 'real', [12, 3.5, -1]],
  ['parentheses', ['(1,234)', '56', '(0.5)'], 'real', [-1234, 56, -0.5]],
  ['parentheses with cents', ['(1.234,50)', '(30,25)', '7'], 'real', [-1234.5, -30.25, 7]],
  ['signs', ['+5', '−3', '7-', '-2'], 'integer', [5, -3, -7, -2]],
  ['scientific', ['1e3', '2.5E-2'], 'real', [1000, 0.025]],
  ['decimals without a digit before or after', ['.5', '2.'], 'real', [0.5, 2]],
  ['64 bits', ['9007199254740993', '-9223372036854775808'], 'integer', [9007199254740993n, -9223372036854775808n]],
  [
    'more than 17 digits',
    ['0.12345678901234567891', '123456789012345678901'],
    'real',
    [0.12345678901234568, 1.2345678901234568e20],
  ],
  ['numbers of a sheet among texts that are numbers', [1, '2', 3.5], 'real', [1, 2, 3.5]],
  ['measured whole numbers', ['1.0', '2.0'], 'real', [1, 2]],
  [
    'missing values',
    ['1', 'N/A', '', 'null', '–', '-', 'NA', '.', null, '#N/A', '2'],
    'integer',
    [1, null, null, null, null, null, null, null, null, null, 2],
  ],
  ['leading zeros of any length', ['7', '07', '123'], 'integer', [7, 7, 123]],
  ['ISO dates', ['2024-05-01', '2024-5-3', '2024/05/02'], 'date', ['2024-05-01', '2024-05-03', '2024-05-02']],
  [
    'times',
    ['2024-05-01T10:00:00Z', '2024-05-01 12:30', '2024-05-02'],
    'datetime',
    ['2024-05-01 10:00:00', '2024-05-01 12:30:00', '2024-05-02 00:00:00'],
  ],
  [
    'zones',
    ['2024-05-01T01:00:00+02:00', '2024-05-01T10:00:00.250Z'],
    'datetime',
    ['2024-04-30 23:00:00', '2024-05-01 10:00:00.250'],
  ],
  ['day first', ['03/04/2024', '25/12/2023'], 'date', ['2024-04-03', '2023-12-25']],
  ['month first', ['03/04/2024', '12/25/23'], 'date', ['2024-03-04', '2023-12-25']],
  ['points', ['3.4.2024', '01.12.2023'], 'date', ['2024-04-03', '2023-12-01']],
  [
    'half days',
    ['03/31/2024 1:05 PM', '03/31/2024 12:00 am'],
    'datetime',
    ['2024-03-31 13:05:00', '2024-03-31 00:00:00'],
  ],
  [
    'named months',
    ['3 Apr 2024', 'April 4, 2024', '05-Apr-24', 'Mon, 8 Apr 2024'],
    'date',
    ['2024-04-03', '2024-04-04', '2024-04-05', '2024-04-08'],
  ],
  ['Chinese dates', ['2024年5月1日'], 'date', ['2024-05-01']],
  ['booleans', [true, false, null], 'boolean', [true, false, null]],
  ['written booleans', ['true', 'FALSE', null, 'True'], 'boolean', [true, false, null, true]],
  ['written booleans among words', ['true', 'maybe', 'false'], 'text', ['true', 'maybe', 'false']],
  ['postcodes', ['02134', '10001', '00501'], 'text', ['02134', '10001', '00501']],
  [
    'ids beyond 64 bits',
    ['12345678901234567890', '12345678901234567891'],
    'text',
    ['12345678901234567890', '12345678901234567891'],
  ],
  ['phone numbers', ['555 123 456', '555 987 654'], 'text', ['555 123 456', '555 987 654']],
  ['versions', ['1.2.13', '1.10.2'], 'text', ['1.2.13', '1.10.2']],
  ['texts with blanks', [' Oslo', 'Rome ', 'n/a'], 'text', ['Oslo', 'Rome', null]],
  ['codes that mean something among texts', ['NA', '-', 'DE'], 'text', ['NA', '-', 'DE']],
])('%s', (_, cells, type, values) => {
  expect(typed(...cells)).toMatchObject({ type, share: 1, values });
});

test('a mixed column says how much of it fits, and shows what does not', () => {
  expect(typed('1', '2', '3', 'see note', 'N/A')).toEqual({
    type: 'integer',
    share: 0.75,
    examples: ['see note'],
    unit: undefined,
    note: undefined,
    values: [1, 2, 3, null, null],
  });
  expect(typed('2024-05-01', '2024-05-02', 'soon')).toMatchObject({ type: 'date', share: 0.6666, examples: ['soon'] });
  expect(typed('a', 'b', 'c', '4')).toMatchObject({
    type: 'text',
    share: 0.75,
    examples: ['4'],
    values: ['a', 'b', 'c', '4'],
  });
  expect(typed(1, 2, '#DIV/0!')).toMatchObject({
    type: 'integer',
    share: 0.6666,
    examples: ['#DIV/0!'],
    values: [1, 2, null],
  });
});

test('decimals are decided for the column, never for the cell', () => {
  expect(typed('1,5', '2,5', '1,234.5')).toMatchObject({
    share: 0.6666,
    examples: ['1,234.5'],
    values: [1.5, 2.5, null],
  });
  const { plans, rows } = typeTable(2, [
    ['1.234', '0,5'],
    ['5.678', '1,25'],
  ]);
  expect(plans.map(({ type }) => type)).toEqual(['integer', 'real']);
  expect(rows[0]).toEqual([1234, 0.5]);
});

test('amounts in two currencies, and shares beside percentages, are not added up', () => {
  expect(typed('$1', '$2', '€3')).toMatchObject({ unit: '$', share: 0.6666, examples: ['€3'], values: [1, 2, null] });
  expect(typed('$1', '2', '$3')).toMatchObject({ unit: '$', share: 1, values: [1, 2, 3] });
  expect(typed('50%', '25 %', '0.1', '0')).toMatchObject({
    unit: '%',
    share: 0.75,
    examples: ['0.1'],
    values: [50, 25, null, 0],
  });
});

test('dates whose order nothing tells stay text and say so; another column may tell', () => {
  expect(typed('03/04/2024', '05/06/2024')).toMatchObject({
    type: 'text',
    note: expect.stringContaining('day and month'),
    values: ['03/04/2024', '05/06/2024'],
  });
  const { plans, rows } = typeTable(2, [['03/04/2024', '25/04/2024']]);
  expect(plans.map(({ type }) => type)).toEqual(['date', 'date']);
  expect(rows[0]).toEqual(['2024-04-03', '2024-04-25']);
});

test('a column without values is text', () => {
  expect(typed(null, '', null)).toMatchObject({ type: 'text', share: 1, values: [null, null, null] });
  expect(planColumns([new ColumnStats()])).toMatchObject([{ type: 'text', share: 1 }]);
});

test('the sign and the code of a currency are one unit', () => {
  expect(typed('EUR 3.50', '€ 4', '5.00 EUR')).toMatchObject({ unit: '€', share: 1, values: [3.5, 4, 5] });
});

test('a point that nothing in the table tells from a thousands separator is named', () => {
  expect(typed('1.234', '12.345')).toMatchObject({ type: 'real', note: expect.stringContaining('three digits') });
  expect(typed('1.234', '12.34').note).toBeUndefined();
  expect(typed('1,234', '12,345').note).toBeUndefined();
  const { plans } = typeTable(2, [
    ['1.234', '0,5'],
    ['5.678', '1,25'],
  ]);
  expect(plans[0]!.note).toBeUndefined();
});

test('a pair in parentheses is no negative number, and its column says that it has one', () => {
  expect(typed('(30,2)', '12', 7, 9)).toMatchObject({
    type: 'integer',
    share: 0.75,
    examples: ['(30,2)'],
    values: [null, 12, 7, 9],
  });
});
