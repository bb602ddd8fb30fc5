import { expect, test } from 'vitest';
import { pdf, pdfText } from '../make-files.ts';
import { readHere, refusal } from './read-here.ts';

/** The same file, its font with a table of what its signs mean. PDFium finds objects whose places are wrong. */
function withMeanings(file: Buffer, meanings: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(meanings).map(([code, text]) => `<${code}> <${text}>`);
  const table = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar endcmap end`;
  const object = `90 0 obj\n<< /Length ${table.length} >>\nstream\n${table}\nendstream\nendobj\n`;
  const text = file.toString('latin1').replace('/BaseFont /Helvetica', '/BaseFont /Helvetica /ToUnicode 90 0 R');
  return Buffer.from(text.replace('xref\n', `${object}xref\n`), 'latin1');
}

test('a sign of which the file does not say what it is stands as unknown, so that no number loses its minus', async () => {
  const page = pdfText([
    [72, 700, 'Corrosion rate, A0.9393 mm'],
    [72, 680, 'diBculties'],
  ]);
  const content = withMeanings(pdf([page]), { '41': '0003', '42': '0000' });
  expect((await readHere('a.pdf', content)).text).toBe('Corrosion rate, \ufffd0.9393 mm\ndi\ufffdculties');
});

test.each<[string, string, string, string?]>([
  ['the letters of a sign', '06440627', 'سلام'],
  ['a sign of its own', 'FEFB', 'سلام'],
  // The sign of God, on a page with one of lam and alef.
  ['three letters', '06440627', 'سلام لله', '064406440647'],
])(
  'Arabic letters that are written as one sign are in the order they are read: %s',
  async (_, ligature, text, more) => {
    const page = pdfText([[72, 700, more ? 'EDCBA' : 'CBA']]);
    const content = withMeanings(pdf([page]), {
      41: '0633',
      42: ligature,
      43: '0645',
      44: '0020',
      ...(more && { 45: more }),
    });
    expect((await readHere('a.pdf', content)).text).toBe(text);
  },
);

test('a page of unknown signs has no text', async () => {
  const content = withMeanings(pdf([pdfText([[72, 700, 'AA']])]), { 41: '0003' });
  expect(await refusal('a.pdf', content)).toContain('It has no text');
});
