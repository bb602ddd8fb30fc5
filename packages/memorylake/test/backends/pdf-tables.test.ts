import { describe, expect, test } from 'vitest';
import { pdf, pdfText } from '../make-files.ts';
import { readHere } from './read-here.ts';

/** Words at columns of 60 points, rows of 14 points. */
const grid = (rows: readonly (readonly string[])[], top = 700) =>
  pdfText(
    rows.flatMap((row, at) =>
      row.flatMap((text, column) => (text === '' ? [] : [[80 + column * 60, top - at * 14, text] as const])),
    ),
  );
const across = (y: number, from: number, to: number) => `${from} ${y} m ${to} ${y} l S`;
const down = (x: number, from: number, to: number) => `${x} ${from} m ${x} ${to} l S`;
const tablesOf = async (...drawn: string[]) =>
  (await readHere('tables.pdf', pdf([drawn.join('\n')]))).tables.map(({ headerRows, caption, rows }) => ({
    headerRows,
    caption,
    cells: rows.map(({ cells }) => cells),
  }));

describe('ruled tables of a PDF', () => {
  test('paint behind the words of a cell parts no rows, so no number is counted twice', async () => {
    const cell = (x: number, y: number, height: number) => `${x} ${y} 58 ${height} re f`;
    const shading = [0, 1, 2].map((line) => `85 ${642 + line * 14} 48 14 re f`);
    const frame = [...[640, 684, 706].map((y) => across(y, 80, 200)), ...[80, 140, 200].map((x) => down(x, 640, 706))];
    const words = pdfText([
      [84, 690, 'Illness'],
      [144, 690, 'Cases'],
      [86, 674, 'Acute'],
      [86, 660, 'high'],
      [86, 646, 'fever'],
      [144, 660, '46'],
    ]);
    const paint = ['0.8 1 1 rg', cell(81, 641, 42), ...shading, '0 0 0 rg'];
    expect(await tablesOf(...paint, ...frame, words)).toEqual([
      {
        headerRows: 1,
        caption: undefined,
        cells: [
          ['Illness', 'Cases'],
          ['Acute high fever', '46'],
        ],
      },
    ]);
  });

  test('white areas are no borders', async () => {
    const white = ['1 1 1 rg', '200 640 80 25 re f', '200 665 80 20 re f', '0 0 0 rg'];
    const frame = [...[640, 684, 706].map((y) => across(y, 80, 200)), ...[80, 140, 200].map((x) => down(x, 640, 706))];
    const words = pdfText([
      [84, 690, 'Port'],
      [144, 690, 'Ships'],
      [84, 660, 'Kiel'],
      [144, 660, '46'],
    ]);
    const [table, ...others] = await tablesOf(...white, ...frame, words);
    expect(others).toEqual([]);
    expect(table?.cells).toEqual([
      ['Port', 'Ships'],
      ['Kiel', '46'],
    ]);
  });

  test('figures that share a drawn column are parted by their gaps, a name above both stands in each', async () => {
    const frame = [
      ...[710, 696, 668, 620].map((y) => across(y, 76, 310)),
      ...[76, 130, 310].map((x) => down(x, 620, 710)),
    ];
    const rows = [
      ['', '', 'Rates in euro', ''],
      ['Port', 'Day', 'Night', 'Week'],
      [],
      ['Kiel', '26.19', '57.86', '26.73'],
      ['Oslo', '25.37', '58.40', '25.77'],
      ['Faro', '25.25', '54.69', '25.61'],
    ];
    expect(await tablesOf(...frame, grid(rows))).toMatchObject([
      {
        cells: [
          [null, null, 'Rates in euro', 'Rates in euro'],
          ['Port', 'Day', 'Night', 'Week'],
          ['Kiel', '26.19', '57.86', '26.73'],
          ['Oslo', '25.37', '58.40', '25.77'],
          ['Faro', '25.25', '54.69', '25.61'],
        ],
      },
    ]);
  });

  test('a title over all columns is the caption, and names in several rows are one header', async () => {
    const ys = [710, 696, 682, 668, 654, 640];
    const frame = [
      ...ys.map((y) => across(y, y === 682 ? 136 : 76, 316)),
      ...[76, 316].map((x) => down(x, 640, 710)),
      down(136, 640, 696),
      down(196, 640, 682),
      down(256, 640, 696),
    ];
    const words = pdfText([
      [150, 700, 'Traffic of a year'],
      [80, 680, 'Year'],
      [160, 686, 'International'],
      [260, 686, 'Home'],
      [140, 672, 'Tons'],
      [200, 672, 'Share'],
      [260, 672, 'Tons'],
      ...['2023', '269', '108.6', '32'].map((text, at) => [80 + at * 60, 658, text] as const),
      ...['2024', '300', '121.4', '36'].map((text, at) => [80 + at * 60, 644, text] as const),
    ]);
    expect(await tablesOf(...frame, words)).toEqual([
      {
        headerRows: 2,
        caption: 'Traffic of a year',
        cells: [
          ['Year', 'International', 'International', 'Home'],
          ['Year', 'Tons', 'Share', 'Tons'],
          ['2023', '269', '108.6', '32'],
          ['2024', '300', '121.4', '36'],
        ],
      },
    ]);
  });

  test('a line that goes on in pieces frames one table', async () => {
    const frame = [
      ...[710, 696, 640].map((y) => across(y, 76, 196)),
      ...[76, 136, 196].flatMap((x) => [down(x, 670, 710), down(x, 640, 670)]),
    ];
    const rows = [
      ['Port', 'Ships'],
      ['Kiel', '4'],
      ['Oslo', '9'],
      ['Faro', '1'],
    ];
    expect((await tablesOf(...frame, grid(rows))).map(({ cells }) => cells)).toEqual([
      [['Port', 'Ships'], ...['Kiel 4', 'Oslo 9', 'Faro 1'].map((row) => row.split(' '))],
    ]);
  });
});

test.each([
  ['up', (x: number, y: number) => `0 11 -11 0 ${500 - y} ${100 + x}`],
  ['down', (x: number, y: number) => `0 -11 11 0 ${100 + y} ${700 - x}`],
  ['upside down', (x: number, y: number) => `-11 0 0 -11 ${500 - x} ${180 - y}`],
])('a table whose text runs %s along the page is read in its rows, with boxes of the page', async (_, matrix) => {
  const rows = [
    ['Port', 'Ships', 'Tons'],
    ['Kiel', '120', '4,500'],
    ['Oslo', '98', '3,200'],
    ['Faro', '45', '1,100'],
  ];
  const drawn = rows.flatMap((row, y) =>
    row.map((text, x) => `BT /F1 1 Tf ${matrix(x * 80, (rows.length - y) * 16)} Tm (${text}) Tj ET`),
  );
  const { blocks, tables } = await readHere('turned.pdf', pdf([drawn.join('\n')]));
  expect(tables.map((table) => table.rows.map(({ cells }) => cells))).toEqual([rows]);
  const [x0, y0, x1, y1] = tables[0]!.rows[1]!.box!;
  const line = blocks.flatMap(({ text, boxes }) => text.split('\n').map((words, at) => ({ words, box: boxes![at]! })));
  const kiel = line.find(({ words }) => words.includes('Kiel'))!.box;
  expect(
    Math.max(Math.abs(kiel[0] - x0), Math.abs(kiel[1] - y0), Math.abs(kiel[2] - x1), Math.abs(kiel[3] - y1)),
  ).toBeLessThan(1);
});

test('a page that is shown turned, so that its text stands upright, is read as it is shown', async () => {
  const rows = [
    ['Port', 'Ships', 'Tons'],
    ['Kiel', '120', '4,500'],
    ['Oslo', '98', '3,200'],
  ];
  const drawn = rows.flatMap((row, y) =>
    row.map((text, x) => `BT /F1 1 Tf 0 11 -11 0 ${100 + y * 16} ${100 + x * 80} Tm (${text}) Tj ET`),
  );
  const page = pdf([drawn.join('\n')])
    .toString('latin1')
    .replace('/MediaBox', '/Rotate 90 /MediaBox');
  const { tables } = await readHere('shown.pdf', Buffer.from(page, 'latin1'));
  expect(tables.map((table) => table.rows.map(({ cells }) => cells))).toEqual([rows]);
});

describe('what stands in columns and is not a table', () => {
  test.each([
    ['a list with bullets', ['-', 'Security of ports', '-', 'State of ships', '-', 'Rules of the harbour']],
    ['numbered items', ['1.', 'Security of ports', '2.', 'State of ships', '3.', 'Rules of the harbour']],
    ['notes below a table', ['(*)', 'Forecast', '(:)', 'Not available', 'Source:', 'Port office']],
  ])('%s', async (_, words) => {
    const pieces = words.map((text, at) => [at % 2 === 0 ? 72 : 140, 700 - (at >> 1) * 14, text] as const);
    expect(await tablesOf(pdfText(pieces))).toEqual([]);
  });

  test('a table of contents', async () => {
    const titles = ['Preface', 'Ports of the north', 'Ports of the south'];
    const lines = titles.flatMap((title, at) => [
      [72, 700 - at * 14, `${title} ${'.'.repeat(60)}`] as const,
      [480, 700 - at * 14, String(at * 9 + 1)] as const,
    ]);
    expect(await tablesOf(pdfText(lines))).toEqual([]);
  });

  test('paragraphs set in columns whose lines have wide blanks', async () => {
    const column = [
      'The harbour  opens every',
      'morning at six   and the',
      'pilots  go out to meet the',
      'ships that wait outside in',
    ];
    const at = (x: number) => column.map((text, line) => [x, 700 - line * 11, text] as const);
    expect(await tablesOf(pdfText([...at(60), ...at(230), ...at(400)]))).toEqual([]);
  });

  test('words that go on below a cell do not end its table', async () => {
    const rows = [
      ['No', 'Name', 'Street', 'City', 'Ships'],
      ['1', 'Ada', 'Pier 7', 'Kiel', '12'],
      ['', '', 'East gate', '', ''],
      ['2', 'Bo', 'Pier 9', 'Oslo', '15'],
      ['', '', 'West gate', '', ''],
      ['3', 'Cy', 'Pier 3', 'Faro', '11'],
    ];
    const found = await tablesOf(grid(rows));
    expect(found.map(({ cells }) => cells.map((row) => row.join('|')))).toEqual([rows.map((row) => row.join('|'))]);
  });
});
