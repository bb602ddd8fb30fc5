import { expect, test } from 'vitest';
import { DocumentTables, shapeOfTable } from '../../src/domain/tables/document-tables.ts';
import { zip } from '../make-files.ts';
import { readHere } from './read-here.ts';

const cell = (text: string, span = '') => `<td${span}>${text}</td>`;
const row = (...cells: string[]) =>
  `<tr>${cells.map((text) => (text.startsWith('<') ? text : cell(text))).join('')}</tr>`;
const html = (...rows: string[]) => `<!doctype html><p>Tides</p><table>${rows.join('')}</table>`;

const DATA = [row('north', '1', '2', '3', '4'), row('south', '5', '6', '7', '8')];
const GROUPED = ['name', '2023 q1', '2023 q2', '2024 q1', '2024 q2'];

test.each([
  [
    'a title over all columns',
    html(row(cell('Sales', ' colspan="3"')), row('name', 'q1', 'q2'), row('x', '1', '2'), row('y', '3', '4')),
    ['name', 'q1', 'q2'],
    2,
  ],
  [
    'a title that is marked as names',
    html('<tr><th colspan="2">Sales</th></tr><tr><th>name</th><th>q1</th></tr>', row('x', '1'), row('y', '2')),
    ['name', 'q1'],
    2,
  ],
  [
    'groups of columns beside a name over two rows',
    html(
      row(cell('name', ' rowspan="2"'), cell('2023', ' colspan="2"'), cell('2024', ' colspan="2"')),
      row('q1', 'q2', 'q1', 'q2'),
      ...DATA,
    ),
    GROUPED,
    2,
  ],
  [
    'groups of columns above names',
    html(
      row(cell(''), cell('2023', ' colspan="2"'), cell('2024', ' colspan="2"')),
      row('name', 'q1', 'q2', 'q1', 'q2'),
      ...DATA,
    ),
    GROUPED,
    2,
  ],
  [
    'a marked row whose cells go on below',
    html(
      '<thead><tr><th rowspan="2">name</th><th colspan="2">2023</th></tr></thead>',
      row('q1', 'q2'),
      row('x', '1', '2'),
      row('y', '3', '4'),
    ),
    ['name', '2023 q1', '2023 q2'],
    2,
  ],
  [
    'a person whose name spans two columns, above values',
    html(row(cell('name', ' colspan="2"'), 'age'), row('Ada', 'L', '36'), row('Alan', 'T', '41')),
    ['name', 'name.1', 'age'],
    2,
  ],
])('%s', async (_, page, names, count) => {
  const { tables } = await readHere('t.html', page);
  const documents = new DocumentTables();
  for (const table of tables) documents.add(table);
  const [table] = documents.all();
  const { columns, headerRow } = shapeOfTable(table!);
  expect(columns).toEqual(names);
  expect(table!.rows.length - (headerRow ?? 0)).toBe(count);
});

test('names of a Word table that go on below belong to the header', async () => {
  const w = (cells: [string, string][]) =>
    `<w:tr>${cells.map(([text, properties]) => `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`).join('')}</w:tr>`;
  const body = [
    w([
      ['name', '<w:vMerge w:val="restart"/>'],
      ['2024', '<w:gridSpan w:val="2"/>'],
    ]),
    w([
      ['', '<w:vMerge/>'],
      ['q1', ''],
      ['q2', ''],
    ]),
    w([
      ['x', ''],
      ['1', ''],
      ['2', ''],
    ]),
  ].join('');
  const document = `<w:document xmlns:w="w"><w:body><w:tbl>${body}</w:tbl></w:body></w:document>`;
  const { tables } = await readHere('t.docx', zip({ 'word/document.xml': document }));
  expect(tables[0]).toMatchObject({ headerRows: 2 });
});
