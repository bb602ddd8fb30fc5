import { expect, test } from 'vitest';
import { FileChunker } from '../../../src/domain/chunk-file.ts';
import type { Box, Cell, DocumentTable } from '../../../src/domain/document.ts';
import { DocumentTables } from '../../../src/domain/tables/document-tables.ts';
import { TableCollector } from '../../../src/domain/tables/table-rows.ts';

const box = (top: number): Box => [10, top, 200, top + 10];
const onPage = (page: number, top: number, rows: Cell[][], headerRows = 0): DocumentTable => ({
  headerRows,
  page,
  rows: rows.map((cells, at) => ({ cells, box: box(top + at * 10) })),
});
const head = ['port', 'berths'];

test('tables are named after their page, slide or number', () => {
  const tables = new DocumentTables();
  const rows = [{ cells: ['a'] }];
  tables.add(onPage(2, 0, [['a', 'b', 'c']]));
  tables.add(onPage(2, 100, [['a']]));
  tables.add({ headerRows: 0, rows, slide: 3 });
  tables.add({ headerRows: 0, rows, paragraph: 7 });
  tables.add({ headerRows: 0, rows });
  tables.add({ headerRows: 0, rows: [] });
  expect(tables.all().map(({ name, place }) => [name, place])).toEqual([
    ['page 2 table 1', { page: 2, boxes: [[10, 0, 200, 10]] }],
    ['page 2 table 2', { page: 2, boxes: [[10, 100, 200, 110]] }],
    ['slide 3 table 1', { slide: 3 }],
    ['table 1', { paragraphs: [7, 7] }],
    ['table 2', {}],
  ]);
});

test('a table that goes on over pages is one, and its repeated header no row', () => {
  const tables = new DocumentTables();
  tables.add(onPage(1, 600, [head, ['Aveiro', 4]], 1));
  tables.add(onPage(2, 50, [head, ['Faro', 3]], 1));
  tables.add(onPage(3, 50, [['Sines', 9]]));
  const [table, ...others] = tables.all();
  expect(others).toEqual([]);
  expect(table!.rows.map(({ cells, page }) => [page, ...cells])).toEqual([
    [1, ...head],
    [1, 'Aveiro', 4],
    [2, 'Faro', 3],
    [3, 'Sines', 9],
  ]);
});

test.each<[string, DocumentTable]>([
  ['has another width', onPage(2, 50, [['Faro', 3, 1]])],
  [
    'has another header',
    onPage(
      2,
      50,
      [
        ['town', 'people'],
        ['Faro', 3],
      ],
      1,
    ),
  ],
  ['is not on the next page', onPage(3, 50, [['Faro', 3]])],
  ['begins further down than the last one ended', onPage(2, 700, [['Faro', 3]])],
  ['has a caption', { ...onPage(2, 50, [['Faro', 3]]), caption: 'Table 2' }],
])('a table that %s is another one', (_, next) => {
  const tables = new DocumentTables();
  tables.add(onPage(1, 600, [head, ['Aveiro', 4]], 1));
  tables.add(next);
  expect(tables.all()).toHaveLength(2);
});

test('a table of a document has typed columns, and every row its page and box', () => {
  const table = onPage(
    4,
    100,
    [
      ['', 'Sales', 'Sales'],
      ['port', '2023', '2024'],
      ['Aveiro', '1,200 €', '(30) €'],
      ['Faro', 'n/a', '5 €'],
    ],
    2,
  );
  const collector = new TableCollector('page 4 table 1');
  collector.table(table);
  const extra = { texts: ['Sales 2023'], places: ['_row', '_page', '_box'] } as const;
  expect(collector.typedTable(extra)).toEqual({
    columns: [
      { name: 'port', type: 'text', share: 1 },
      { name: 'Sales 2023', type: 'integer', share: 1, unit: '€' },
      { name: 'Sales 2024', type: 'integer', share: 1, unit: '€' },
      { name: 'Sales 2023 (text)', type: 'text', share: 1 },
      { name: '_row', type: 'integer', share: 1 },
      { name: '_page', type: 'integer', share: 1 },
      { name: '_box', type: 'text', share: 1 },
    ],
    rows: [
      ['Aveiro', 1200, -30, '1,200 €', 3, 4, '[10,120,200,130]'],
      ['Faro', null, 5, 'n/a', 4, 4, '[10,130,200,140]'],
    ],
  });
  const chunker = new FileChunker(() => {}, { maxRows: 100 });
  chunker.table(table);
  expect(chunker.end()).toMatchObject({
    tables: 1,
    documentTables: [
      { name: 'page 4 table 1', rows: 2, columns: [{ name: 'port' }, { type: 'integer' }, { type: 'integer' }] },
    ],
  });
});
