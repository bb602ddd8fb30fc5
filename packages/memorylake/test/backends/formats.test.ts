import { utils, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/domain/formats/encoding.ts';
import { compound, rows as sheetRows, xlsx, zip } from '../make-files.ts';
import { readHere, refusal } from './read-here.ts';

describe('workbooks of other programs', () => {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet([
    ['day', 'height', 'share'],
    ['Monday', 2.5, null],
    [null, 3, 0.5],
  ]);
  sheet['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
  utils.book_append_sheet(book, sheet, 'Tides');

  test.each([
    ['xlsb', 'a.xlsb', 'xlsb'],
    ['ods', 'a.ods', 'ods'],
    ['xlml', 'a.xml', 'spreadsheetml'],
    ['fods', 'a.fods', 'spreadsheetml'],
    ['biff8', 'a.xls', 'xls'],
    ['biff5', 'a.xls', 'xls'],
    ['biff2', 'a.xls', 'xls'],
  ] as const)('%s is read as rows', async (bookType, name, format) => {
    const content = write(book, { type: 'buffer', bookType }) as Buffer;
    const read = await readHere(name, content);
    expect(read.format).toBe(format);
    expect(read.rows.map((row) => row.slice(1))).toEqual([['height', 'share'], [2.5], [3, 0.5]]);
    expect(read.rows[1]?.[0]).toBe('Monday');
  });

  test('error values of the binary formats are given by name', async () => {
    const errors = utils.book_new();
    const codes = [0x00, 0x07, 0x0f, 0x17, 0x1d, 0x24, 0x2a];
    const cells = Object.fromEntries(
      codes.map((v, at) => [utils.encode_cell({ r: 0, c: at }), { t: 'e' as const, v }]),
    );
    utils.book_append_sheet(errors, { ...cells, '!ref': `A1:${utils.encode_col(codes.length - 1)}1` }, 'E');
    const { rows } = await readHere('e.xls', write(errors, { type: 'buffer', bookType: 'biff8' }) as Buffer);
    expect(rows).toEqual([['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A']]);
  });

  describe('cells as Excel shows them', () => {
    const FORMATS = ['General', '[h]:mm:ss', 'yyyy-mm-dd hh:mm:ss', '0.00;[Magenta]-0.00', 'h:mm'];
    const CELLS: [value: number, format: number, shown: string | number][] = [
      [1.5, 1, '36:00:00'],
      [-0.25, 1, '-06:00:00'],
      // Excel rounds to the second that is nearest.
      [45413.6789, 2, '2024-05-01 16:17:37'],
      [-2.5, 3, -2.5],
      [0.75, 4, '18:00:00'],
    ];
    const shown = CELLS.map(([, , text]) => text);

    test('hours beyond a day, the nearest second, and colours that begin as a time does', async () => {
      const formats = FORMATS.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`);
      const styles = FORMATS.map((_, at) => `<xf numFmtId="${164 + at}"/>`);
      const cells = CELLS.map(([value, format]) => `<c s="${format}"><v>${value}</v></c>`);
      const content = xlsx(
        { S: `<row r="1">${cells.join('')}</row></sheetData>` },
        {
          styles: `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
        },
      );
      expect((await readHere('a.xlsx', content)).rows).toEqual([shown]);
    });

    test('the same in a binary workbook', async () => {
      const formatted = utils.book_new();
      const cells = CELLS.map(([v, format]) => ({ t: 'n' as const, v, z: FORMATS[format]! }));
      utils.book_append_sheet(formatted, utils.aoa_to_sheet([cells]), 'S');
      const content = write(formatted, { type: 'buffer', bookType: 'xlsb' }) as Buffer;
      expect((await readHere('a.xlsb', content)).rows).toEqual([shown]);
    });

    test('a number merged over rows stands once, so that a sum counts it once', async () => {
      const merged = `${sheetRows([
        ['Kiel', 10],
        ['', 0],
      ])}<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:B2"/></mergeCells>`;
      const content = xlsx({ S: merged.replace('<c r="B2"><v>0</v></c>', '') });
      expect((await readHere('m.xlsx', content)).rows).toEqual([['Kiel', 10], ['Kiel']]);
    });

    test('a line break in the text of a formula is one', async () => {
      const content = xlsx({ S: '<row r="1"><c t="str"><f>A</f><v>one_x000A_two</v></c></row></sheetData>' });
      expect((await readHere('f.xlsx', content)).rows).toEqual([['one\ntwo']]);
    });
  });

  test('a sheet of two rows that lie a million rows apart is read at once', async () => {
    const row = (index: number, text: string) =>
      `<Row ss:Index="${index}"><Cell ss:Index="16000"><Data ss:Type="String">${text}</Data></Cell></Row>`;
    const content = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="W"><Table>${row(1, 'first')}${row(1_048_576, 'last')}</Table></Worksheet></Workbook>`;
    const { rows } = await readHere('w.xml', content);
    expect(rows.map((cells) => cells.filter((cell) => cell !== null))).toEqual([['first'], ['last']]);
  });
});

describe('mails', () => {
  const boundary = (parts: readonly string[]) => `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;

  test('headers, the text with its tables, and the names of attachments are read, never base64', async () => {
    const html = Buffer.from(
      '<p>Dear Ada,</p><table><tr><th>item</th><th>price</th></tr><tr><td>rope</td><td>12</td></tr></table>',
    ).toString('base64');
    const { blocks, tables, title, format } = await readHere(
      'offer.eml',
      `From: =?utf-8?Q?J=C3=BCrgen?= <j@example.org>\r\nTo: ada@example.org\r\nSubject: =?utf-8?B?${Buffer.from('Angebot für Seile').toString('base64')}?=\r\nDate: Mon, 6 May 2024 10:00:00 +0200\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${boundary(
        [
          `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${html}`,
          'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="offer.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=',
        ],
      )}`,
    );
    expect(format).toBe('eml');
    expect(title).toBe('Angebot für Seile');
    expect(blocks.map(({ part, text }) => [part, text])).toEqual([
      ['headers', 'Angebot für Seile'],
      ['headers', 'From: Jürgen <j@example.org>\nTo: ada@example.org\nDate: 2024-05-06T08:00:00.000Z'],
      ['headers', 'Attachment: offer.pdf (5 bytes)'],
      ['text', 'Dear Ada,'],
      ['text', 'item | price'],
      ['text', 'rope | 12'],
    ]);
    expect(tables[0]?.rows.map(({ cells }) => cells)).toEqual([
      ['item', 'price'],
      ['rope', '12'],
    ]);
  });

  test('ten thousand parts are read, and parts nested without end are refused', async () => {
    const head = 'From: a@example.org\r\nSubject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
    const part = 'Content-Type: text/plain\r\n\r\nword';
    const { text } = await readHere('many.eml', head + boundary(Array.from({ length: 10_000 }, () => part)));
    expect(text.match(/word/g)?.length).toBe(10_000);
    let nested = 'Content-Type: text/plain\r\n\r\nword';
    for (let at = 0; at < 300; at++)
      nested = `Content-Type: multipart/mixed; boundary=n${at}\r\n\r\n--n${at}\r\n${nested}\r\n--n${at}--`;
    expect(await refusal('deep.eml', `From: a@example.org\r\nSubject: deep\r\n${nested}`)).toContain(
      'nested more than',
    );
  });

  test('headers without end are refused as what they are', async () => {
    const to = Array.from({ length: 200_000 }, (_, at) => `a${at}@example.org`).join(', ');
    expect(await refusal('many.eml', `From: a@example.org\r\nSubject: x\r\nTo: ${to}\r\n\r\nwords`)).toContain(
      'It has headers of more than 2 MB',
    );
  });

  test('a mailbox is read mail by mail, each under its subject', async () => {
    const box =
      'From a@example.org Mon May  6 10:00:00 2024\r\nFrom: a@example.org\r\nSubject: Ropes\r\n\r\nTwelve ropes.\r\n>From the pier.\r\n\r\n' +
      'From here 10:00 is a line of the text\r\nwithout headers below it.\r\n\r\n' +
      `From 17@xxx Mon Mar 01 10:09:01 +0000 2024\r\nSubject: Anchors\r\nFrom: b@example.org\r\nMIME-Version: 1.0\r\n` +
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${boundary(['Content-Type: text/html\r\n\r\n<p>Two <b>anchors</b></p>', 'Content-Disposition: attachment; filename=list.txt\r\n\r\none'])}`;
    const { format, blocks } = await readHere('box', box);
    expect(format).toBe('mbox');
    expect(blocks.map(({ part, text }) => [part, text])).toEqual([
      ['mail 1, headers', 'Ropes'],
      ['mail 1, headers', 'From: a@example.org'],
      ['mail 1, text', 'Twelve ropes.\nFrom the pier.'],
      ['mail 1, text', 'From here 10:00 is a line of the text\nwithout headers below it.'],
      ['mail 2, headers', 'Anchors'],
      ['mail 2, headers', 'From: b@example.org'],
      ['mail 2, headers', 'Attachment: list.txt (4 bytes)'],
      ['mail 2, text', 'Two anchors'],
    ]);
  });

  test('a mailbox that begins with a long mail, or has one that cannot be read, is read on', async () => {
    const start = 'From a@example.org Mon May  6 10:00:00 2024\n';
    const long = `From: a@example.org\nSubject: long\n\n${'word '.repeat(40_000)}\n\n`;
    const broken = `From: a@example.org\nTo: ${'x'.repeat(3_000_000)}\n\nlost\n\n`;
    const last = 'From: b@example.org\nSubject: last\n\nthe end\n';
    const { blocks } = await readHere('box.mbox', start + long + start + broken + start + last);
    expect(blocks.filter(({ part }) => part === 'mail 2').map(({ text }) => text)).toEqual([
      'This mail was not read. It has headers of more than 2 MB, the most that are read',
    ]);
    expect(blocks.at(-1)).toMatchObject({ part: 'mail 3, text', text: 'the end' });
  });
});

describe('rich text', () => {
  test('paragraphs, code pages, headings, tables, notes and links are read, and no markup', async () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}}{\\stylesheet{\\s1 heading 1;}}{\\info{\\title Tides}{\\author Ada}}{\\header Letterhead\\par}' +
      "\\pard\\s1 High water\\par\\pard\\plain\\f0 Caf\\'e9 \\u8364?5 \\f1\\'cc\\'ee\\'f0\\'e5\\f0{\\footnote A note}\\par" +
      '{\\field{\\*\\fldinst{HYPERLINK "https://example.org/x"}}{\\fldrslt our page}}\\par{\\*\\unknown hidden}{\\pict\\bin4 }}}}}' +
      '\\trowd\\pard\\intbl a\\cell b\\cell\\row\\trowd\\pard\\intbl 1\\cell 2\\cell\\row\\pard End\\par}';
    const { blocks, tables, title, format } = await readHere('note.rtf', rtf);
    expect([format, title]).toEqual(['rtf', 'Tides']);
    expect(blocks.map(({ part, heading, text }) => [part, heading, text])).toEqual([
      ['header', undefined, 'Letterhead'],
      [undefined, 1, 'High water'],
      ['footnotes', undefined, 'A note'],
      [undefined, undefined, 'Café €5 Море'],
      [undefined, undefined, 'our page (https://example.org/x)'],
      [undefined, undefined, 'a | b'],
      [undefined, undefined, '1 | 2'],
      [undefined, undefined, 'End'],
    ]);
    expect(tables[0]?.rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });
});

describe('texts from before Unicode', () => {
  test.each([
    [
      'shift_jis',
      '日本の港は朝に開きます。潮の高さを測る。',
      '93fa967b82cc8d6082cd92a982c98a4a82ab82dc82b78142929a82cc8d8282b382f091aa82e98142',
    ],
    ['euc-jp', '日本の港は朝に開きます。', 'c6fccbdca4cec9bea4cfc4aba4cbb3aba4ada4dea4b9a1a3'],
    [
      'euc-kr',
      '항구는 아침에 문을 연다. 물의 높이를 잼다.',
      'c7d7b1b8b4c220bec6c4a7bfa120b9aec0bb20bfacb4d92e20b9b0c0c720b3f4c0ccb8a620c0ebb4d92e',
    ],
    ['windows-1251', 'Гавань открывается утром, и вода поднимается.', undefined],
    ['ibm866', 'Гавань открывается утром, и вода поднимается.', undefined],
    ['koi8-r', 'Гавань открывается утром, и вода поднимается.', undefined],
    ['windows-1250', 'Przystań otwiera się rano, a źródło żyje wśród łąk.', undefined],
    ['windows-1253', 'Το λιμάνι ανοίγει το πρωί και το νερό ανεβαίνει.', undefined],
    ['windows-1252', 'Das “Café” in Zürich – früh geöffnet – kostet 5 €.', undefined],
    ['windows-1252', 'Name;Größe\nMüller;5\nJäger;6\näöüß;7', undefined],
    ['windows-1252', 'Hver maður er borinn frjáls og jafn öðrum að virðingu og þeir eru gæddir viti.', undefined],
    ['windows-1252', 'CAFÉ', undefined],
    ['windows-1250', 'Jednotka a měření, řeka přes město, žádný útvar, vůz, děti a účet.', undefined],
    ['windows-1250', 'A kikötő reggel nyílik, és a víz emelkedik.', undefined],
    ['windows-1254', 'Ağrı dağı ve Müdürlüğü', undefined],
    ['windows-1255', 'הנמל נפתח בבוקר והמים עולים', undefined],
  ])('%s is read', (label, text, hex) => {
    const bytes = hex === undefined ? encode(label, text) : Buffer.from(hex, 'hex');
    const shown =
      label === 'shift_jis'
        ? new TextDecoder(label).decode(bytes)
        : label === 'euc-jp'
          ? new TextDecoder(label).decode(bytes)
          : text;
    expect(decodeText(bytes)).toEqual({ text: shown, encoding: label });
  });

  test('UTF-32 is read with and without its mark', () => {
    const wide = (text: string) => Buffer.from(new Uint32Array([...text].map((sign) => sign.codePointAt(0)!)).buffer);
    expect(decodeText(wide('\ufeffTide 潮'))).toEqual({ text: 'Tide 潮', encoding: 'utf-32le' });
    expect(decodeText(wide('Tide tables')).text).toBe('Tide tables');
    expect(decodeText(wide('Tide tables').swap32()).text).toBe('Tide tables');
  });

  test.each(['.csv', '.tsv'])('numbers with blanks between them under the name %s are columns', async (extension) => {
    expect((await readHere(`a${extension}`, 'day  "mean level" n\n 1 2.50 7\n10 3.25 8\n')).rows).toEqual([
      ['day', 'mean level', 'n'],
      [1, '2.50', 7],
      [10, '3.25', 8],
    ]);
    const named = await readHere(`b${extension}`, '"level" "n"\n"north" 2.5 7\n"south" 3.5 8\n');
    expect(named.rows[0]).toEqual([null, 'level', 'n']);
    expect((await readHere(`c${extension}`, 'a line\nand another\nthe third\n')).rows[0]).toEqual(['a line']);
  });

  test.each(['a.md', 'a.txt'])('the table of Markdown is a table without its bars in %s', async (name) => {
    const { format, tables } = await readHere(name, '| port | height |\n| :-- | --: |\n| north | 2 |\n| south | 3 |\n');
    expect(format).toBe('md');
    expect(tables[0]?.rows.map(({ cells }) => cells)).toEqual([
      ['port', 'height'],
      ['north', '2'],
      ['south', '3'],
    ]);
  });

  test('quotes of CSV that never close take no rows with them', async () => {
    expect((await readHere('a.csv', 'a,b\n1,"x\n2,y\n3,z\n')).rows).toEqual([
      ['a', 'b'],
      [1, 'x'],
      [2, 'y'],
      [3, 'z'],
    ]);
  });

  test('a row of CSV wider than any table is refused', async () => {
    expect(await refusal('a.csv', `a,b\n${'1,'.repeat(600_000)}\n`)).toContain('more than 500,000 cells in row 2');
  });

  test('CSV with CR line ends has its rows', async () => {
    expect((await readHere('mac.csv', 'a,b\r1,2\r3,4\r')).rows).toEqual([
      ['a', 'b'],
      [1, 2],
      [3, 4],
    ]);
  });
});

describe('refusals name what a file is', () => {
  test.each([
    [
      'sound.txt',
      Buffer.concat([
        Buffer.from('RIFF\x24\x08\x00\x00WAVEfmt '),
        Buffer.from(new Uint16Array(4_000).map((_, at) => at % 200).buffer),
      ]),
      'a WAV sound',
    ],
    ['talk.ppt', compound('PowerPoint Document'), 'PowerPoint 97–2003'],
    ['plan.vsd', compound('VisioDocument'), 'Visio'],
    ['table.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(99)]), 'a Parquet table'],
    ['data.7z', Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, 0, 0, 0, 0]), 'a 7z archive'],
    ['lib.jar', zip({ 'META-INF/MANIFEST.MF': 'x' }), 'a Java program'],
    ['slides.xml', '<?xml version="1.0"?><pkg:package xmlns:pkg="p"/>', 'an Office document saved as XML'],
    ['print.ps', '%!PS-Adobe-3.0\n(hello) show', 'PostScript'],
    [
      'drawing.odg',
      zip({ mimetype: 'application/vnd.oasis.opendocument.graphics', 'content.xml': '<office:document-content/>' }),
      'OpenDocument drawing',
    ],
    ['talk.key', zip({ 'Index/Document.iwa': 'x', 'Index/Slide-1.iwa': 'x' }), 'Keynote'],
    ['book.epub', 'plain words', 'its name says book'],
  ])('%s', async (name, content, reason) => {
    expect(await refusal(name, content)).toContain(reason);
  });
});

test('UTF-8 with stray bytes of Windows-1252 is read as both', async () => {
  const mixed = Buffer.concat([Buffer.from('Müller, Köln, 5 €\n'), encode('windows-1252', 'Jörg, Düren\n')]);
  expect((await readHere('a.txt', mixed)).text).toBe('Müller, Köln, 5 €\nJörg, Düren');
});

test('a short table in Shift-JIS, which has hardly any kana, is told from Chinese', async () => {
  // 名前,金額 / 田中,1000
  const bytes = Buffer.from('96bc914f2c8be08a7a0a936392862c313030300a', 'hex');
  expect((await readHere('a.csv', bytes)).rows).toEqual([
    ['名前', '金額'],
    ['田中', 1000],
  ]);
});

/** Text in a single-byte encoding, by looking each byte up. */
function encode(label: string, text: string): Buffer {
  if (label === 'windows-1252') {
    const signs: Record<string, number> = { '“': 0x93, '”': 0x94, '–': 0x96, '€': 0x80 };
    return Buffer.from([...text].map((sign) => signs[sign] ?? sign.charCodeAt(0)));
  }
  const decoder = new TextDecoder(label);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const));
  return Buffer.from([...text].map((sign) => bytes.get(sign)!));
}
