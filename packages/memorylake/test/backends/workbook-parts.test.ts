import { utils, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { rows, xlsx, zip } from '../make-files.ts';
import { readHere } from './read-here.ts';

describe('cells of an .xlsx sheet', () => {
  test('text whose runs have a colour is read', async () => {
    const run = '<r><rPr><b/><color rgb="ff000000"/><charset val="1"/></rPr><t xml:space="preserve">Tide</t></r>';
    const cell = `<c r="A1" t="inlineStr"><is>${run}<r><t>s</t></r></is></c>`;
    const content = xlsx({ S: `<row r="1">${cell}<c r="B1"><v>2</v></c></row></sheetData>` });
    expect((await readHere('a.xlsx', content)).rows).toEqual([['Tides', 2]]);
  });

  test('the value is read and not a name in a formula that ends as its tag does', async () => {
    const content = xlsx({ S: '<row r="1"><c r="A1"><f>IF(lev>3,1,2)</f><v>7</v></c></row></sheetData>' });
    expect((await readHere('a.xlsx', content)).rows).toEqual([[7]]);
  });

  test('a time keeps its fraction where its format shows one', async () => {
    const codes = ['hh:mm:ss.000', 'yyyy-mm-dd hh:mm:ss.0', 'mm:ss,0', 'hh:mm:ss'];
    const formats = codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('');
    const styles = codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('');
    const cells = [0.1152326388888889, 45413.5000029, 0.5, 0.1152326388888889]
      .map((value, at) => `<c s="${at}"><v>${value}</v></c>`)
      .join('');
    const content = xlsx(
      { S: `<row r="1">${cells}</row></sheetData>` },
      { styles: `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>` },
    );
    expect((await readHere('a.xlsx', content)).rows).toEqual([
      ['02:45:56.100', '2024-05-01 12:00:00.251', '12:00:00', '02:45:56'],
    ]);
  });
});

test('parts of a workbook are found by their links, wherever a program puts them', async () => {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const content = zip({
    '[Content_Types].xml':
      '<Types><Override PartName="/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    '_rels/.rels': `<Relationships>${relation('r1', 'officeDocument', 'workbook.xml')}</Relationships>`,
    'workbook.xml':
      '<workbook><sheets><sheet name="Arrests" r:id="r1"/><sheet name="Plot" r:id="r3"/></sheets></workbook>',
    '_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'data.xml')}${relation('r2', 'sharedStrings', 'words.xml')}${relation('r3', 'chartsheet', 'plot.xml')}</Relationships>`,
    'words.xml': '<sst><si><t>area</t></si></sst>',
    'plot.xml': '<chartsheet/>',
    'data.xml': `<worksheet><sheetData><row r="1"><c t="s"><v>0</v></c></row>${rows([])}</worksheet>`,
  });
  const read = await readHere('a.xlsx', content);
  expect(read.rows).toEqual([['area']]);
  expect(read.sheets).toEqual(['Arrests']);
});

test('texts of an Excel 95 workbook are read in the code page that it names', async () => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Ladownosc']]), 'S');
  const content = write(book, { type: 'buffer', bookType: 'biff5' }) as Buffer;
  const record = content.indexOf(Buffer.from([0x42, 0, 2, 0]));
  content.writeUInt16LE(1251, record + 4);
  Buffer.from([0xcb, 0xe0, 0xe4, 0xee, 0xe3, 0xe0, 0x20, 0xee, 0xef]).copy(content, content.indexOf('Ladownosc'));
  expect((await readHere('a.xls', content)).rows).toEqual([['Ладога оп']]);
});
