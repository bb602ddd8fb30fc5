import { describe, expect, test } from 'vitest';
import { brokenWords } from '../../src/domain/text/broken-words.ts';
import { pdf, pdfText } from '../make-files.ts';
import { readHere } from './read-here.ts';

describe('PDF', () => {
  test('each line has its box in points from the top left of the page', async () => {
    const { blocks } = await readHere(
      'lines.pdf',
      pdf([
        pdfText([
          [72, 742, 'The harbour opens in May'],
          [72, 728, 'and closes in October.'],
          [72, 400, 'Far below.'],
        ]),
      ]),
    );
    expect(blocks.map(({ text, page }) => [page, text])).toEqual([
      [1, 'The harbour opens in May\nand closes in October.'],
      [1, 'Far below.'],
    ]);
    const [first, second] = blocks[0]!.boxes!;
    expect(blocks[0]!.boxes).toHaveLength(2);
    expect(first![0]).toBeCloseTo(72, -1);
    expect(first![1]).toBeGreaterThan(85);
    expect(first![3]).toBeLessThan(105);
    expect(second![1]).toBeGreaterThan(first![1]);
    expect(blocks[1]!.boxes![0]![1]).toBeGreaterThan(425);
  });

  test('a ruled table is given as rows with their boxes, and a cell over two columns stands in both', async () => {
    const horizontal = [700, 680, 660, 640].map((y) => `100 ${y} m 400 ${y} l S`);
    const vertical = [
      '100 700 m 100 640 l S',
      '400 700 m 400 640 l S',
      '300 700 m 300 640 l S',
      '200 680 m 200 640 l S',
    ];
    const words = pdfText([
      [110, 685, 'Both'],
      [310, 685, 'Year'],
      [110, 665, 'North'],
      [210, 665, '12'],
      [310, 665, '2024'],
      [110, 645, 'South'],
      [310, 645, '2025'],
    ]);
    const { tables } = await readHere('ruled.pdf', pdf([`${horizontal.join('\n')}\n${vertical.join('\n')}\n${words}`]));
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({ page: 1, headerRows: 1 });
    expect(tables[0]!.rows.map(({ cells }) => cells)).toEqual([
      ['Both', 'Both', 'Year'],
      ['North', '12', '2024'],
      ['South', null, '2025'],
    ]);
    expect(tables[0]!.rows[1]!.box!.map(Math.round)).toEqual([100, 162, 400, 182]);
  });

  test('a table without lines is found by its columns, an empty cell included', async () => {
    const cell = (row: number, column: number, text: string) => [80 + column * 150, 600 - row * 16, text] as const;
    const { tables } = await readHere(
      'unruled.pdf',
      pdf([
        pdfText([
          [80, 700, 'A sentence above the table that runs over the width of all its columns together.'],
          cell(0, 0, 'Port'),
          cell(0, 1, 'Height'),
          cell(0, 2, 'Depth'),
          cell(1, 0, 'Kiel'),
          cell(1, 1, '2.5'),
          cell(1, 2, '11'),
          cell(2, 0, 'Oslo'),
          cell(2, 2, '9'),
        ]),
      ]),
    );
    expect(tables.map(({ rows }) => rows.map(({ cells }) => cells))).toEqual([
      [
        ['Port', 'Height', 'Depth'],
        ['Kiel', '2.5', '11'],
        ['Oslo', null, '9'],
      ],
    ]);
  });

  /** Words at columns of 60 points, rows of 14 points. */
  const grid = (rows: readonly (readonly string[])[], top = 700) =>
    pdfText(
      rows.flatMap((row, at) =>
        row.flatMap((text, column) => (text === '' ? [] : [[80 + column * 60, top - at * 14, text] as const])),
      ),
    );
  const cellsOf = ({ tables }: Awaited<ReturnType<typeof readHere>>) =>
    tables.map(({ headerRows, rows }) => [headerRows, rows.map(({ cells }) => cells)]);

  test('a table without lines keeps its groups, dashes and years above its columns', async () => {
    const content = pdf([
      grid([
        ['', '2023', '2024', '2025'],
        ['Actual'],
        ['Kiel', '120', '-', '140'],
        ['Oslo', '95', '97', '-'],
        ['Projected'],
        ['Kiel', '150', '155', '160'],
        ['Oslo', '101', '103', '105'],
      ]),
    ]);
    expect(cellsOf(await readHere('groups.pdf', content))).toEqual([
      [
        1,
        [
          [null, '2023', '2024', '2025'],
          ['Actual', null, null, null],
          ['Kiel', '120', '-', '140'],
          ['Oslo', '95', '97', '-'],
          ['Projected', null, null, null],
          ['Kiel', '150', '155', '160'],
          ['Oslo', '101', '103', '105'],
        ],
      ],
    ]);
  });

  test('a ruled table that is open at its sides keeps its first and last column', async () => {
    const horizontal = [716, 692, 664].map((y) => `75 ${y} m 310 ${y} l S`);
    const vertical = [136, 196, 256].map((x) => `${x} 716 m ${x} 664 l S`);
    const words = grid([
      ['City', 'May', 'June', 'July'],
      ['', '', '', ''],
      ['Kiel', '12', '14', '17'],
    ]);
    const found = cellsOf(await readHere('open.pdf', pdf([[...horizontal, ...vertical, words].join('\n')])));
    expect(found).toEqual([
      [
        1,
        [
          ['City', 'May', 'June', 'July'],
          ['Kiel', '12', '14', '17'],
        ],
      ],
    ]);
  });

  test('borders that cells draw beside each other are one, and rows without a line between them are several', async () => {
    const box = (x: number, y: number, width: number, height: number) => `${x} ${y} ${width} ${height} re S`;
    const boxes = [0, 1, 2].flatMap((column) => [
      box(76 + column * 60, 692, 53, 20),
      box(76 + column * 60, 650, 53, 35),
    ]);
    // The frame joins the cells to one table.
    const frame = box(72, 646, 182, 70);
    const joins = [688, 690].map((y) => `72 ${y} m 254 ${y} l S`);
    const columns = [130, 132, 190, 192].map((x) => `${x} 646 m ${x} 716 l S`);
    const words = grid([['City', 'May', 'June'], [], ['Kiel', '12', '14'], ['Oslo', '9', '11']]);
    const found = cellsOf(
      await readHere('boxes.pdf', pdf([[...boxes, frame, ...joins, ...columns, words].join('\n')])),
    );
    expect(found).toEqual([
      [
        1,
        [
          ['City', 'May', 'June'],
          ['Kiel', '12', '14'],
          ['Oslo', '9', '11'],
        ],
      ],
    ]);
  });

  test('text set in two columns is not a table', async () => {
    const line = 'The harbour opens every morning at';
    const rows = Array.from({ length: 8 }, (_, at) => [72, 700 - at * 14, `${line}`] as const);
    const right = rows.map(([, y, text]) => [330, y, text] as const);
    expect((await readHere('columns.pdf', pdf([pdfText([...rows, ...right])]))).tables).toEqual([]);
  });

  test('cells that follow each other without a blank are words of their own', async () => {
    const spaced = (points: number) => pdf([`BT /F1 11 Tf 72 700 Td ${points} Tc (XXX) Tj ET`]);
    expect((await readHere('cells.pdf', spaced(50))).text).toBe('X X X');
    expect((await readHere('title.pdf', spaced(10))).text).toBe('XXX');
  });

  test('text beyond the edges of a page is not on it', async () => {
    const { text } = await readHere(
      'cut.pdf',
      pdf([
        pdfText([
          [72, 700, 'Harbour'],
          [640, 700, 'Beside'],
          [72, -40, 'Below'],
        ]),
      ]),
    );
    expect(text).toBe('Harbour');
  });

  test('headers and footers are read once, page numbers or not', async () => {
    const page = (number: number) =>
      pdfText([
        [72, 820, 'Harbour report'],
        [72, 500, `Words of page ${['one', 'two', 'three', 'four'][number - 1]}`],
        [300, 20, `Page ${number}`],
      ]);
    const { text } = await readHere('report.pdf', pdf([1, 2, 3, 4].map(page)));
    expect(text.match(/Harbour report/g)).toHaveLength(1);
    expect(text.match(/Page \d/g)).toHaveLength(1);
    expect(text).toContain('Words of page four');
  });

  test('rows of a table at the top of each page are data, though only their numbers differ', async () => {
    const page = (number: number) =>
      pdfText([
        [72, 820, `${(number * 7919) % 1000} ${(number * 104729) % 1000}`],
        [72, 500, 'Words'],
      ]);
    const { text } = await readHere('table.pdf', pdf([1, 2, 3, 4].map(page)));
    expect(text.match(/\d+ \d+/g)).toEqual(['919 729', '838 458', '757 187', '676 916']);
  });

  test('form values and annotations are read as parts of their page', async () => {
    const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Berth) /V (Pier 7) /Rect [100 600 200 620] >>';
    const note = '<< /Type /Annot /Subtype /Text /Contents (Check the depth) /Rect [300 600 320 620] >>';
    const { blocks } = await readHere('form.pdf', pdf([''], { annotations: [field, note], form: true }));
    expect(blocks.map(({ part, text, page }) => [page, part, text])).toEqual([
      [1, 'form', 'Berth: Pier 7'],
      [1, 'annotations', 'Check the depth'],
    ]);
  });

  test('what a signature shows is read, and the text below it once', async () => {
    const drawn = 'BT /F1 12 Tf 5 30 Td (Signed by Ada) Tj ET BT /F1 12 Tf 5 12 Td (on 1 May 2024) Tj ET';
    const { blocks } = await readHere(
      'signed.pdf',
      pdf([pdfText([[80, 640, 'Signature of the buyer']])], {
        annotations: [
          '<< /Type /Annot /Subtype /Widget /FT /Sig /T (buyer) /F 4 /Rect [72 600 300 660] /V 5 0 R /AP << /N 6 0 R >> >>',
          '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Contents <00> /ByteRange [0 0 0 0] >>',
          `<< /Type /XObject /Subtype /Form /BBox [0 0 228 60] /Resources << /Font << /F1 3 0 R >> >> /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
        ],
        form: true,
      }),
    );
    expect(blocks.map(({ part, text }) => [part, text])).toEqual([
      [undefined, 'Signature of the buyer'],
      ['annotations', 'Signed by Ada\non 1 May 2024'],
    ]);
  });

  test('a word broken at the end of a line is found whole, and the text stays as printed', async () => {
    const { text } = await readHere(
      'broken.pdf',
      pdf([
        pdfText([
          [72, 700, 'The water is meas-'],
          [72, 686, 'ured every morning.'],
        ]),
      ]),
    );
    expect(text).toBe('The water is meas-\nured every morning.');
    expect(brokenWords(text)).toEqual(['measured']);
  });
});
