import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { zip } from '../make-files.ts';
import { readHere } from './read-here.ts';

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://schemas/x/${type}" Target="${target}"/>`;

const book = (parts: Record<string, string>) =>
  zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Tides" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c r="A1"><v>7</v></c></row></sheetData></worksheet>',
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${relation('a', 'comments', '../comments1.xml')}${relation('b', 'threadedComment', '../threadedComments/t1.xml')}${relation('c', 'drawing', '../drawings/drawing1.xml')}</Relationships>`,
    ...parts,
  });

const notes = `<comments><authors><author>Ada</author><author>tc={1}</author></authors><commentList>
<comment ref="A1" authorId="0"><text><r><t>Ada:</t></r><r><t xml:space="preserve"> measured </t></r><r><t>twice</t></r><rPh><t>no</t></rPh></text></comment>
<comment ref="B2" authorId="1"><text><t>[Threaded comment] Your version of Excel allows you to read this</t></text></comment>
</commentList></comments>`;
const drawing = `<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1" name="Box" descr="A map of the harbour"/></xdr:nvSpPr>
<xdr:txBody><a:p><a:r><a:t>High </a:t></a:r><a:r><a:t>water</a:t></a:r></a:p><a:p><a:r><a:t>Low water</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`;

test('comments, talks about cells and text boxes of a workbook are read', async () => {
  const { blocks, rows } = await readHere(
    'tides.xlsx',
    book({
      'xl/comments1.xml': notes,
      'xl/threadedComments/t1.xml':
        '<ThreadedComments><threadedComment ref="B2" personId="{p}"><text>Is this right?</text></threadedComment></ThreadedComments>',
      'xl/persons/person.xml': '<personList><person displayName="Ben" id="{p}"/></personList>',
      'xl/drawings/drawing1.xml': drawing,
    }),
  );
  expect(rows).toEqual([[7]]);
  expect(blocks.map(({ part, text }) => [part, text])).toEqual([
    ['comments of Tides', 'A1, Ada: measured twice'],
    ['comments of Tides', 'B2, Ben: Is this right?'],
    ['text boxes of Tides', 'A map of the harbour'],
    ['text boxes of Tides', 'High water'],
    ['text boxes of Tides', 'Low water'],
  ]);
});

test('a thread whose own part is missing is read from the note for older programs', async () => {
  const { blocks } = await readHere('tides.xlsx', book({ 'xl/comments1.xml': notes }));
  expect(blocks.map(({ text }) => text)).toContainEqual(expect.stringContaining('[Threaded comment] Your version'));
});

test('comments of old workbooks are read', async () => {
  const workbook = utils.book_new();
  const sheet = utils.aoa_to_sheet([['level'], [2.5]]);
  sheet.A2.c = [{ a: 'Ada', t: 'at noon' }];
  utils.book_append_sheet(workbook, sheet, 'Tides');
  const noted = async (bookType: 'ods' | 'xlsb') => {
    const { blocks } = await readHere(`tides.${bookType}`, write(workbook, { type: 'buffer', bookType }) as Buffer);
    return blocks.map(({ part, text }) => `${part}: ${text}`);
  };
  expect(await noted('xlsb')).toEqual(['comments of Tides: A2, Ada: at noon']);
  // The library keeps no authors in this format.
  expect(await noted('ods')).toEqual(['comments of Tides: A2: at noon']);
});
