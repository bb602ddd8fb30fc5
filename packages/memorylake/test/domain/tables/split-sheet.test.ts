import { expect, test } from 'vitest';
import { FileChunker } from '../../../src/domain/chunk-file.ts';
import type { Cell, ReadSink } from '../../../src/domain/document.ts';
import { TableCollector } from '../../../src/domain/tables/table-rows.ts';
import type { Chunk } from '../../../src/domain/text/chunk-text.ts';

type Sheet = readonly (readonly Cell[])[];

function put(sheet: Sheet, sink: ReadSink): void {
  sink.sheet('Sales');
  for (const [at, cells] of sheet.entries()) if (cells.length > 0) sink.row(at + 1, cells);
  sink.sheet('Other');
  sink.row(1, ['x']);
}

/** The tables that a sheet has, as their facts and as SQL see them. */
function tablesOf(sheet: Sheet) {
  const chunks: Chunk[] = [];
  const chunker = new FileChunker((chunk) => void chunks.push(chunk), { maxRows: 1_000 });
  put(sheet, chunker);
  const { sheets, documentTables, tables } = chunker.end();
  const names = [...sheets.map(({ name }) => name), ...documentTables.map(({ name }) => name)];
  const rows = names.map((name) => {
    const collector = new TableCollector(name);
    put(sheet, collector);
    return collector.typedTable({ texts: [], places: ['_row'] });
  });
  return { names, rows, tables, documentTables, chunks };
}

const SALES: Sheet = [
  ['name', 'amount'],
  ['north', 1],
  ['south', 2],
  ['east', 3],
  ['west', 4],
];

test('a table below another one, with or without a title, is a table of its own', () => {
  const { names, rows, tables, documentTables, chunks } = tablesOf([
    ...SALES,
    [],
    ['Prices of May'],
    ['product', 'price', 'since'],
    ['rope', 3.5, '2024-01-02'],
    ['anchor', 80, '2024-01-03'],
  ]);
  expect([names, tables]).toEqual([['Sales', 'Other', 'Sales table 2'], 3]);
  expect(documentTables[0]).toMatchObject({ place: { sheet: 'Sales', rows: [7, 10] }, rows: 2 });
  expect(rows[0]?.columns.map(({ name, type }) => [name, type])).toEqual([
    ['name', 'text'],
    ['amount', 'integer'],
    ['_row', 'integer'],
  ]);
  expect(rows[0]?.rows).toHaveLength(4);
  expect(rows[2]?.columns.map(({ name, type }) => [name, type])).toEqual([
    ['product', 'text'],
    ['price', 'real'],
    ['since', 'date'],
    ['_row', 'integer'],
  ]);
  expect(rows[2]?.rows).toEqual([
    ['rope', 3.5, '2024-01-02', 9],
    ['anchor', 80, '2024-01-03', 10],
  ]);
  expect(chunks.map(({ place, context }) => [place.sheet, place.rows, context])).toEqual([
    ['Sales', [1, 5], 'Sales: name, amount'],
    ['Sales', [7, 10], 'Sales: product, price, since'],
    ['Other', [1, 1], 'Other'],
  ]);
});

test.each<[string, Sheet]>([
  ['rows after a blank one', [...SALES, [], ['up', 5], ['down', 6]]],
  ['the same names again', [...SALES, [], ['name', 'amount'], ['up', 5], ['down', 6]]],
  ['a section of words', [...SALES, [], ['Remarks', 'by'], ['all is well', 'Ada'], ['or so', 'Ben']]],
  ['rows wider than the names above them', [...SALES, [], ['product', 'price'], ['rope', 3, 4], ['anchor', 80, 1]]],
  [
    'facts above a wider table',
    [['Client', 'ACME'], ['Invoice', 123], ['Amount', 55], [], ['name', 'price', 'count'], ['a', 1, 2], ['b', 3, 4]],
  ],
])('%s stay in one table', (_, sheet) => {
  expect(tablesOf(sheet).names).toEqual(['Sales', 'Other']);
});

test('tables beside each other with the same names, or of different lengths, are tables of their own', () => {
  const beside: Sheet = [
    ['Shop', null, null, 'Depot'],
    ['item', 'price', null, 'place', 'tons', 'since'],
    ['rope', 3, null, 'Kiel', 10, '2024-01-02'],
    ['anchor', 80, null, 'Ghent', 20.5, '2024-01-03'],
    ['sail', 400, null, null, null, null],
    ['buoy', 25],
  ];
  const { names, rows, documentTables, chunks } = tablesOf(beside);
  expect(names).toEqual(['Sales', 'Other', 'Sales table 2']);
  expect(rows[0]?.columns.map(({ name }) => name)).toEqual(['item', 'price', '_row']);
  expect(rows[0]?.rows).toEqual([
    ['rope', 3, 3],
    ['anchor', 80, 4],
    ['sail', 400, 5],
    ['buoy', 25, 6],
  ]);
  expect(documentTables[0]).toMatchObject({ place: { sheet: 'Sales', rows: [1, 4] }, rows: 2 });
  expect(rows[2]?.columns.map(({ name, type }) => [name, type])).toEqual([
    ['place', 'text'],
    ['tons', 'real'],
    ['since', 'date'],
    ['_row', 'integer'],
  ]);
  expect(rows[2]?.rows).toEqual([
    ['Kiel', 10, '2024-01-02', 3],
    ['Ghent', 20.5, '2024-01-03', 4],
  ]);
  expect(chunks.some(({ text }) => text.includes('Ghent'))).toBe(true);
  const twice = tablesOf(SALES.map((row) => [...row, null, ...row]));
  expect(twice.rows.map((table) => table.rows.length)).toEqual([4, 1, 4]);
});

test.each<[string, Sheet]>([
  [
    'a blank column in a table',
    SALES.map((row, at) => [...row, null, ...(at === 0 ? ['place', 'tons'] : ['Kiel', at])]),
  ],
  [
    'a sum below such a table',
    [...SALES.map((row, at) => [...row, null, ...(at === 0 ? ['place', 'tons'] : ['Kiel', at])]), ['total', 10]],
  ],
  [
    'numbers beside it',
    SALES.map((row, at) => [...row, null, ...(at === 0 ? ['low', 'high'] : at < 3 ? [at, at] : [])]),
  ],
  ['notes beside it', SALES.map((row, at) => [...row, null, at === 1 ? 'as agreed' : null])],
])('%s is not a table of its own', (_, sheet) => {
  expect(tablesOf(sheet).names).toEqual(['Sales', 'Other']);
});

test('rows over the gap end the tables that stand beside each other', () => {
  const { rows } = tablesOf([
    ...SALES.map((row) => [...row, null, ...row]),
    ...Array.from({ length: 20 }, () => ['x', 1, null, 'y', 2]),
    ['sum', 1, 'of both', 'y', 2],
  ]);
  expect(rows[0]?.rows.at(-1)).toContain('of both');
});
