import { describe, expect, test } from 'vitest';
import { epub, odf, pptx, relations, shape, wordDocument } from '../make-documents.ts';
import { paragraph, zip } from '../make-files.ts';
import { readHere, refusal } from './read-here.ts';

const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;

describe('Word documents', () => {
  test('headers, footers, notes and comments are read once, each as its own part', async () => {
    const part = (inside: string) => `<w:part>${paragraph(inside)}</w:part>`;
    const { blocks } = await readHere(
      'letter.docx',
      wordDocument(
        paragraph('Body'),
        {
          'word/header1.xml': part('Letterhead'),
          'word/header2.xml': part('Letterhead'),
          'word/footer1.xml': part('Bank account'),
          'word/footnotes.xml': part('A footnote'),
          'word/endnotes.xml': part('An endnote'),
          'word/comments.xml': part('A remark'),
        },
        [
          ['r1', 'header', 'header1.xml'],
          ['r2', 'header', 'header2.xml'],
          ['r3', 'footer', 'footer1.xml'],
          ['r4', 'footnotes', 'footnotes.xml'],
          ['r5', 'endnotes', 'endnotes.xml'],
          ['r6', 'comments', 'comments.xml'],
        ],
      ),
    );
    expect(blocks.map(({ text, part: name }) => [name, text])).toEqual([
      [undefined, 'Body'],
      ['header', 'Letterhead'],
      ['footer', 'Bank account'],
      ['footnotes', 'A footnote'],
      ['endnotes', 'An endnote'],
      ['comments', 'A remark'],
    ]);
  });

  test('tracked changes count as accepted, and a text box is read once', async () => {
    const box = `<w:txbxContent>${paragraph('In the box')}</w:txbxContent>`;
    const { text } = await readHere(
      'changes.docx',
      wordDocument(
        '<w:p><w:r><w:t>kept </w:t></w:r><w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom></w:p>' +
          `<w:p><w:r><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>around</w:t></w:r></w:p>`,
      ),
    );
    expect(text).toBe('kept added\nIn the box\naround');
  });

  test('lists have their numbers, links their targets and equations their terms', async () => {
    const item = (text: string, level = 0) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const level = (at: number, format: string, pattern: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`;
    const { text } = await readHere(
      'list.docx',
      wordDocument(
        item('First') +
          item('Inner', 1) +
          item('Inner again', 1) +
          item('Second') +
          '<w:p><w:hyperlink r:id="r9"><w:r><w:t>our page</w:t></w:r></w:hyperlink></w:p>' +
          '<w:p><m:oMath><m:r><m:t>x</m:t></m:r><m:r><m:t>=</m:t></m:r><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>',
        {
          'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="3">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
        },
        [
          ['r1', 'numbering', 'numbering.xml'],
          ['r9', 'hyperlink', 'https://example.org/a', true],
        ],
      ),
    );
    expect(text).toBe(
      '1. First\n1.a) Inner\n1.b) Inner again\n2. Second\nour page (https://example.org/a)\nx=(a+b)/2c^2',
    );
  });

  test('headings follow the styles of the document, whatever they are called', async () => {
    const { blocks } = await readHere(
      'styles.docx',
      wordDocument(
        paragraph('Chapter', 'Kapitel'),
        {
          'word/styles.xml':
            '<w:styles><w:style w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="H2"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>',
        },
        [['r1', 'styles', 'styles.xml']],
      ),
    );
    expect(blocks).toEqual([{ text: 'Chapter', line: 1, paragraph: 1, heading: 2 }]);
  });

  test('a table is given as rows, spanning cells filled', async () => {
    const { tables, text } = await readHere(
      'table.docx',
      wordDocument(
        `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Region')}${cell('Sales', '<w:gridSpan w:val="2"/>')}</w:tr>` +
          `<w:tr>${cell('North', '<w:vMerge w:val="restart"/>')}${cell('1')}${cell('2')}</w:tr>` +
          `<w:tr>${cell('', '<w:vMerge/>')}${cell('3')}${cell('')}</w:tr></w:tbl>`,
      ),
    );
    expect(text).toBe('Region | Sales\nNorth | 1 | 2\n3');
    expect(tables).toEqual([
      {
        headerRows: 1,
        paragraph: 1,
        rows: [
          { cells: ['Region', 'Sales', 'Sales'] },
          { cells: ['North', '1', '2'] },
          { cells: ['North', '3', null] },
        ],
      },
    ]);
  });
});

describe('presentations', () => {
  test('slides are read in their order with titles, tables, charts, notes and comments', async () => {
    const table =
      '<a:tbl><a:tr><a:tc gridSpan="2"><a:txBody><a:p><a:r><a:t>Both</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge="1"/></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>2</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>';
    const series =
      '<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Units</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:pt idx="0"><c:v>12.500000000000002</c:v></c:pt></c:numCache></c:val></c:ser>';
    const { blocks, tables } = await readHere(
      'deck.pptx',
      pptx(
        [
          shape('Plan', 'title') + shape('7', 'sldNum') + shape('Harbour Ltd', 'ftr') + table,
          shape('Costs', 'ctrTitle') + shape('Harbour Ltd', 'ftr'),
        ],
        {
          'ppt/slides/_rels/slide1.xml.rels': relations(
            ['r1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
            ['r2', 'comments', '../comments/comment1.xml'],
          ),
          'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('Speak slowly')}</p:notes>`,
          'ppt/comments/comment1.xml':
            '<p:cmLst><p:cm authorId="1" dt="2026-05-01T10:00:00"><p:text>Too long?</p:text></p:cm></p:cmLst>',
          'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="1" name="Ada Dow"/></p:cmAuthorLst>',
          'ppt/slides/_rels/slide2.xml.rels': relations(['r1', 'chart', '../charts/chart1.xml']),
          'ppt/charts/chart1.xml': `<c:chartSpace><c:title><a:t>Sales</a:t></c:title>${series}</c:chartSpace>`,
        },
      ),
    );
    expect(blocks.map(({ text, slide, part, heading }) => [slide, part, heading, text])).toEqual([
      [1, undefined, 1, 'Plan'],
      [1, undefined, undefined, 'Harbour Ltd'],
      [1, undefined, undefined, 'Both'],
      [1, undefined, undefined, '1 | 2'],
      [1, 'speaker notes', undefined, 'Speak slowly'],
      [1, 'comments', undefined, 'Ada Dow, 2026-05-01:'],
      [1, 'comments', undefined, 'Too long?'],
      [2, undefined, 1, 'Costs'],
      [2, undefined, undefined, 'Sales'],
      [2, undefined, undefined, 'Units'],
      [2, undefined, undefined, 'May | 12.5'],
    ]);
    expect(tables.map(({ slide, rows }) => [slide, rows.map(({ cells }) => cells)])).toEqual([
      [
        1,
        [
          ['Both', 'Both'],
          ['1', '2'],
        ],
      ],
      [
        2,
        [
          [null, 'Units'],
          ['May', '12.5'],
        ],
      ],
    ]);
  });

  test('an OpenDocument presentation has slides and notes', async () => {
    const { blocks, title } = await readHere(
      'deck.odp',
      odf(
        'presentation',
        '<draw:page><draw:frame presentation:class="title"><text:p>Plan</text:p></draw:frame><draw:frame><text:p>Piers</text:p></draw:frame><presentation:notes><text:p>Say hello</text:p></presentation:notes></draw:page><draw:page><text:p>End</text:p></draw:page>',
      ),
    );
    expect(title).toBe('A title');
    expect(blocks.map(({ text, slide, part, heading }) => [slide, part, heading, text])).toEqual([
      [1, undefined, 1, 'Plan'],
      [1, undefined, undefined, 'Piers'],
      [1, 'speaker notes', undefined, 'Say hello'],
      [2, undefined, undefined, 'End'],
    ]);
  });
});

describe('OpenDocument texts and books', () => {
  test('headings, notes, tables, headers and accepted changes are read', async () => {
    const { blocks, tables } = await readHere(
      'report.odt',
      odf(
        'text',
        '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Tides</text:h><text:p>High<text:s text:c="2"/>water<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Measured</text:p></text:note-body></text:note></text:p>' +
          '<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>both</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>',
        '<style:master-page><style:header><text:p>Letterhead</text:p></style:header></style:master-page><style:master-page><style:header><text:p>Letterhead</text:p></style:header></style:master-page>',
      ),
    );
    expect(blocks.map(({ text, part, heading }) => [part, heading, text])).toEqual([
      [undefined, 2, 'Tides'],
      ['footnotes', undefined, 'Measured'],
      [undefined, undefined, 'High water'],
      [undefined, undefined, 'a | b'],
      [undefined, undefined, 'both'],
      ['header', undefined, 'Letterhead'],
    ]);
    expect(tables).toEqual([
      { headerRows: 1, paragraph: 4, rows: [{ cells: ['a', 'b'] }, { cells: ['both', 'both'] }] },
    ]);
  });

  test('a flat OpenDocument file is read like a packed one', async () => {
    const { format, text } = await readHere(
      'flat.fodt',
      '<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.text"><office:body><text:p>flat words</text:p></office:body></office:document>',
    );
    expect([format, text]).toEqual(['odt', 'flat words']);
  });

  test('the chapters of a book are read in the order of its spine, named by their files', async () => {
    const { blocks, title } = await readHere(
      'book.epub',
      epub({ 'z.xhtml': '<h1>One</h1><p>Sea</p>', 'a.xhtml': '<h1>Two</h1><p>Land</p>' }),
    );
    expect(title).toBe('The Book');
    expect(blocks.map(({ part, paragraph: number, text }) => [part, number, text])).toEqual([
      ['OEBPS/z.xhtml', 1, 'One'],
      ['OEBPS/z.xhtml', 2, 'Sea'],
      ['OEBPS/a.xhtml', 3, 'Two'],
      ['OEBPS/a.xhtml', 4, 'Land'],
    ]);
  });

  test('what a book says of itself is its first text', async () => {
    const metadata =
      '<dc:title>Tides</dc:title><dc:creator id="a">Ada Dow</dc:creator><dc:creator>Bo Ek</dc:creator><dc:description>&lt;p&gt;On &lt;b&gt;water&lt;/b&gt;&lt;/p&gt;</dc:description>';
    const container = '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>';
    const book = `<package><metadata>${metadata}</metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`;
    const parts = { 'META-INF/container.xml': container, 'b.opf': book, 'c.xhtml': '<p>High water</p>' };
    const { blocks } = await readHere('tides.epub', zip({ mimetype: 'application/epub+zip', ...parts }));
    expect(blocks.map(({ part, text }) => [part, text])).toEqual([
      ['b.opf', 'Title: Tides'],
      ['b.opf', 'Authors: Ada Dow, Bo Ek'],
      ['b.opf', 'Description: On water'],
      ['c.xhtml', 'High water'],
    ]);
  });

  test('a protected book, a broken list of chapters and an encrypted text are refused by name', async () => {
    const locked = { 'META-INF/encryption.xml': '<encryption><CipherReference URI="OEBPS/a.xhtml"/></encryption>' };
    expect(await refusal('book.epub', epub({ 'a.xhtml': '<p>x</p>' }, locked))).toContain('protected against copying');
    expect(await refusal('book.epub', zip({ mimetype: 'application/epub+zip' }))).toContain('chapters is missing');
    const encrypted = zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': 'xx',
      'META-INF/manifest.xml': '<manifest:encryption-data/>',
    });
    expect(await refusal('a.odt', encrypted)).toContain('password');
  });
});

describe('web pages', () => {
  test('navigation is left out, links have their targets, tables their rows', async () => {
    const { text, tables } = await readHere(
      'page.html',
      '<!doctype html><nav><a href="/">Home</a></nav><div role="navigation">Menu</div><p hidden>secret</p><p>See <a href="https://example.org/x">this</a></p>' +
        '<table><caption>Tides</caption><thead><tr><th>Day</th><th>Height</th></tr></thead><tr><td rowspan="2">Monday</td><td>2.5</td></tr><tr><td>3.1</td></tr></table>',
    );
    expect(text).toBe('See this (https://example.org/x)\nTides\nDay | Height\nMonday | 2.5\n3.1');
    expect(tables).toEqual([
      {
        headerRows: 1,
        caption: 'Tides',
        paragraph: 3,
        rows: [{ cells: ['Day', 'Height'] }, { cells: ['Monday', '2.5'] }, { cells: ['Monday', '3.1'] }],
      },
    ]);
  });

  test('tables that only place things are read as text', async () => {
    const { text, tables } = await readHere(
      'layout.html',
      '<html><table><tr><td><h1>News</h1><table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table></td><td>Side</td></tr></table></html>',
    );
    expect(text).toBe('News\na | b\n1 | 2\nSide');
    expect(tables.map(({ rows }) => rows.length)).toEqual([2]);
  });

  test('a page that is nothing but navigation is read with it', async () => {
    expect((await readHere('menu.html', '<html><nav><a>Home</a></nav></html>')).text).toBe('Home');
  });

  test('the encoding a page declares is the one it is read in', async () => {
    const page = Buffer.concat([
      Buffer.from('<html><meta charset="windows-1251"><p>'),
      Buffer.from([0xcc, 0xee, 0xf0, 0xe5]),
      Buffer.from('</p>'),
    ]);
    expect((await readHere('page.html', page)).text).toBe('Море');
  });

  test('a page nested without end is refused instead of taking quadratic time', async () => {
    expect(await refusal('deep.html', `<html>${'<b>'.repeat(200_000)}${'</p>'.repeat(200_000)}`)).toContain(
      'nested more than',
    );
  });
});

describe('Word documents saved as XML', () => {
  const body =
    '<w:p><w:pPr><w:pStyle w:val="h"/></w:pPr><w:r><w:t>Tides</w:t></w:r></w:p><w:p><w:r><w:t>High </w:t></w:r><w:r><w:t>water</w:t></w:r></w:p>' +
    '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>';
  const styles = '<w:style w:styleId="h"><w:name w:val="heading 1"/></w:style>';
  const note = '<w:p><w:r><w:t>Letterhead</w:t></w:r></w:p>';
  const head = '<?xml version="1.0"?><?mso-application progid="Word.Document"?>';
  const text = (xml: string) => `<pkg:xmlData>${xml}</pkg:xmlData></pkg:part>`;

  test.each([
    [
      'Word 2003',
      `${head}<w:wordDocument xmlns:w="w"><w:styles>${styles}</w:styles><w:body>${body}<w:sectPr><w:hdr>${note}</w:hdr></w:sectPr></w:body></w:wordDocument>`,
    ],
    [
      'the parts of a .docx',
      `${head}<pkg:package xmlns:pkg="p" xmlns:w="w"><pkg:part pkg:name="/word/document.xml">${text(`<w:document><w:body>${body}</w:body></w:document>`)}` +
        `<pkg:part pkg:name="/word/styles.xml">${text(`<w:styles>${styles}</w:styles>`)}<pkg:part pkg:name="/word/header1.xml">${text(`<w:hdr>${note}</w:hdr>`)}</pkg:package>`,
    ],
  ])('%s', async (_, xml) => {
    const { format, blocks, tables } = await readHere('letter.xml', xml);
    expect(format).toBe('docx');
    expect(blocks.map(({ part, heading, text: words }) => [part ?? heading, words])).toEqual([
      [1, 'Tides'],
      [undefined, 'High water'],
      [undefined, 'a | 1'],
      ['header', 'Letterhead'],
    ]);
    expect(tables).toHaveLength(1);
  });
});
