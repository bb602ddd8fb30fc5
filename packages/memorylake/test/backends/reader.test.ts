import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { watchMemory } from '../../src/backends/child-limits.ts';
import type { ReadChunk, ReadOutcome } from '../../src/backends/interface.ts';
import { ProcessReader } from '../../src/backends/reader-processes.ts';
import { defaultLimits } from '../../src/domain/document.ts';
import { compound, docx, nestedForms, paragraph, pdf, pdfText, rows, xlsx, zip } from '../make-files.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let reader: ProcessReader;
const limits = { ...defaultLimits, maxRows: 5_000, maxPages: 20, maxSeconds: 30 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memorylake-readers-'));
  reader = new ProcessReader({ limits, processes: 2 });
});

afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true, force: true });
});

type Read = { outcome: ReadOutcome; chunks: ReadChunk[]; text: string; path: string };

async function read(name: string, content: Buffer | string, own = reader): Promise<Read> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}-${name}`);
  await writeFile(path, content);
  const chunks: ReadChunk[] = [];
  const outcome = await own.read({ path, name }, { onChunks: async (batch) => void chunks.push(...batch) });
  return { outcome, chunks, path, text: chunks.map(({ text }) => text).join('\n') };
}

async function ready(name: string, content: Buffer | string) {
  const { outcome, ...rest } = await read(name, content);
  if (!outcome.ok) throw new Error(`${name} failed: ${outcome.reason}`);
  return { ...outcome, ...rest };
}

async function reason(name: string, content: Buffer | string, own = reader): Promise<string> {
  const { outcome, chunks } = await read(name, content, own);
  expect(chunks).toEqual([]);
  return outcome.ok ? 'ready' : outcome.reason;
}

describe('workbooks', () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>';

  test('dates, times, booleans, errors, shared strings and formulas are read as people see them', async () => {
    const sheet =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
      '<row r="2"><c r="A2" s="1"><v>45413</v></c><c r="B2" s="2"><v>45413.75</v></c><c r="C2" s="3"><v>2.5</v></c>' +
      '<c r="D2" t="b"><v>1</v></c><c r="E2" t="e"><v>#DIV/0!</v></c><c r="F2"><f>SUM(C2:C2)</f><v>7</v></c><c r="G2"><f>A1&amp;B1</f></c></row></sheetData>';
    const { text } = await ready(
      'dates.xlsx',
      xlsx(
        { Data: sheet },
        {
          styles,
          strings: '<si><t>Tag &amp; Nacht</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si>',
        },
      ),
    );
    expect(text).toBe('Tag & Nacht | rich text\n2024-05-01 | 2024-05-01 18:00:00 | 2.5 | true | #DIV/0! | 7 | =A1&B1');
  });

  test('a workbook of the 1904 calendar has its own days', async () => {
    const sheet =
      '<row r="1"><c r="A1" s="1"><v>0</v></c></row><row r="2"><c r="A2" s="1"><v>43951</v></c></row></sheetData>';
    const { text } = await ready('mac.xlsx', xlsx({ Data: sheet }, { styles, date1904: true }));
    expect(text).toBe('1904-01-01\n2024-05-01');
  });

  test('a value merged over rows belongs to each of them', async () => {
    const sheet = `${rows([
      ['region', 'city'],
      ['North', 'Kiel'],
      ['', 'Oslo'],
      ['South', 'Rome'],
    ])}<mergeCells><mergeCell ref="A2:A3"/></mergeCells>`;
    const { text } = await ready('merged.xlsx', xlsx({ Data: sheet }));
    expect(text).toBe('region | city\nNorth | Kiel\nNorth | Oslo\nSouth | Rome');
  });

  test('titles above the header are no header, and the summary names sheets, columns and ranges', async () => {
    const content = xlsx({
      Sales: rows([
        ['Sales report 2024'],
        ['region', 'units', 'price'],
        ['North', 3, 1.5],
        ['South', 9, 2.25],
        ['East', 4, 8],
      ]),
      Notes: rows([
        ['key', 'value'],
        ['owner', 'Ada'],
      ]),
    });
    const { facts, summary, chunks } = await ready('report.xlsx', content);
    expect(facts.sheets.map(({ name, headerRow, rows }) => ({ name, headerRow, rows }))).toEqual([
      { name: 'Sales', headerRow: 2, rows: 3 },
      { name: 'Notes', headerRow: 1, rows: 1 },
    ]);
    expect(summary).toContain(
      'Sheet "Sales": 3 rows (1–5); columns: region (North, South, East), units (3 to 9), price (1.5 to 8)',
    );
    expect(facts.tables).toBe(2);
    expect(chunks[0]).toMatchObject({
      place: { sheet: 'Sales', rows: [1, 5] },
      context: 'Sales: region, units, price',
    });
  });

  test('charts and pictures are counted', async () => {
    const parts = { 'xl/charts/chart1.xml': '<c/>', 'xl/media/image1.png': 'png', 'xl/media/image2.png': 'png' };
    const { facts } = await ready('charts.xlsx', xlsx({ A: rows([['x'], ['1']]) }, { parts }));
    expect(facts.figures).toBe(3);
  });

  test('a huge cell is cut into passages that all name its row', async () => {
    const { chunks, facts } = await ready('huge.xlsx', xlsx({ A: rows([['note'], ['word '.repeat(6_000)]]) }));
    expect(facts.chunks).toBe(chunks.length);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.slice(1).every(({ place }) => place.rows?.[0] === 2)).toBe(true);
    expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(900);
  });

  test('names with a prefix, as some programs write them, are understood', async () => {
    const sheet =
      '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1" t="str"><x:v>prefixed</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const { text } = await ready(
      'prefix.xlsx',
      zip({
        'xl/workbook.xml': '<x:workbook><x:sheets><x:sheet name="S" r:id="r1"/></x:sheets></x:workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="r1" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
        'xl/worksheets/sheet1.xml': sheet,
      }),
    );
    expect(text).toBe('prefixed');
  });

  test('the old binary format is read with its dates', async () => {
    const book = utils.book_new();
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet(
        [
          ['day', 'n'],
          [new Date(Date.UTC(2024, 4, 1)), 5],
        ],
        { cellDates: true, UTC: true },
      ),
      'Old',
    );
    const { text, facts } = await ready('old.xls', write(book, { type: 'buffer', bookType: 'biff8' }));
    expect(text).toBe('day | n\n2024-05-01 | 5');
    expect(facts.sheets[0]?.name).toBe('Old');
  });

  test('more rows than are read is a reason, not a cut', async () => {
    const many = xlsx({ A: rows(Array.from({ length: 5_001 }, (_, at) => [at])) });
    expect(await reason('many.xlsx', many)).toBe('It has more than 5,000 rows, the most that are read');
  });
});

describe('archives that mean harm', () => {
  test('a bomb is refused by what it declares', async () => {
    const bomb = xlsx({ A: `<row r="1"><c r="A1"><v>1</v></c></row>${'<row/>'.repeat(4_000_000)}</sheetData>` });
    expect(bomb.length).toBeLessThan(200_000);
    expect(await reason('bomb.xlsx', bomb)).toContain('zip bomb');
  });

  test('a bomb that lies about its size is refused by what it really holds', async () => {
    const content = { 'xl/workbook.xml': `<workbook>${' '.repeat(3_000_000)}<sheets/></workbook>` };
    expect(await reason('liar.xlsx', zip(content, { declare: { 'xl/workbook.xml': 1_000 } }))).toContain('zip bomb');
  });

  test('an archive with a password, a broken one and one that is no document each get their own reason', async () => {
    expect(await reason('locked.xlsx', zip({ 'xl/workbook.xml': 'x' }, { encrypted: true }))).toContain('password');
    expect(await reason('cut.xlsx', xlsx({ A: rows([['a']]) }).subarray(0, 300))).toContain('broken');
    expect(await reason('plain.zip', zip({ 'a.txt': 'hello' }))).toContain(
      'Add it with memorylake add --recursive, or unpack it',
    );
    expect(await reason('slides.pptx', zip({ 'ppt/presentation.xml': '<p/>' }))).toBe('It has no text');
  });
});

describe('PDF', () => {
  test('text is found with its page, pictures and tables are counted', async () => {
    const table = [0, 1, 2, 3].flatMap((row) =>
      [0, 1, 2].map((column) => [80 + column * 150, 600 - row * 20, `cell ${row} ${column}`] as const),
    );
    const { chunks, facts, format } = await ready(
      'report.pdf',
      pdf([pdfText([[72, 700, 'The harbour opens in May.']]), pdfText(table)], { image: true }),
    );
    expect(format).toBe('pdf');
    expect(facts).toMatchObject({ pages: 2, tables: 1, figures: 2 });
    expect(chunks[0]).toMatchObject({ text: 'The harbour opens in May.', place: { page: 1 } });
    expect(chunks[1]?.place).toMatchObject({ page: 2 });
    expect(chunks[1]?.place.boxes).toHaveLength(4);
  });

  test('prose is no table', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, at) => [72, 700 - at * 14, `This is line ${at} of ordinary running text in one column.`] as const,
    );
    const { facts } = await ready('prose.pdf', pdf([pdfText(lines)]));
    expect(facts.tables).toBe(0);
  });

  test('a scan, a password, a broken file and too many pages each end with their reason', async () => {
    expect(await reason('scan.pdf', pdf([''], { image: true }))).toContain('a scan');
    expect(await reason('blank.pdf', pdf(['']))).toBe('It has no text');
    expect(await reason('locked.pdf', pdf([pdfText([[72, 700, 'secret']])], { encrypted: true }))).toContain(
      'password',
    );
    expect(await reason('broken.pdf', '%PDF-1.7\nnothing of a PDF follows')).toContain('broken');
    expect(await reason('long.pdf', pdf(Array.from({ length: 21 }, () => pdfText([[72, 700, 'x']]))))).toBe(
      'It has 21 pages; at most 20 are read',
    );
  });
});

describe('texts', () => {
  const chinese = '公司的营业收入增长了百分之十五。研发投入持续增加，市场份额稳步提升。';

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${chinese}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${chinese}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${chinese}`, 'utf16le').swap16()],
    ['GB18030', Buffer.from('b9abcbbeb5c4d3aad2b5cac2c8ebd4f6b3a4c1cb', 'hex')],
  ])('%s is read', async (_, content) => {
    expect((await ready('note.txt', content)).text).toContain('公司的营业');
  });

  test('Latin-1 and UTF-16 without a mark are read', async () => {
    expect((await ready('latin.txt', Buffer.from('Das Café in Zürich öffnet früh.', 'latin1'))).text).toBe(
      'Das Café in Zürich öffnet früh.',
    );
    expect((await ready('wide.txt', Buffer.from('plain words in wide letters', 'utf16le'))).text).toBe(
      'plain words in wide letters',
    );
  });

  test('Markdown headings give context, and tables and pictures are counted', async () => {
    const { chunks, facts } = await ready(
      'plan.md',
      `# Plan\n\n## Costs\n\n${'The pier costs money. '.repeat(60)}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n![map](map.png)\n`,
    );
    expect(facts).toMatchObject({ title: 'Plan', tables: 1, figures: 1, headings: ['Plan', 'Costs'] });
    expect(chunks.at(-1)?.context).toBe('Plan › Costs');
    expect(chunks.at(-1)?.place.lines?.[1]).toBe(11);
  });

  test('Word documents keep headings, tables and their title', async () => {
    const table = `<w:tbl><w:tr><w:tc>${paragraph('a')}</w:tc><w:tc>${paragraph('b')}</w:tc></w:tr></w:tbl>`;
    const { text, facts } = await ready(
      'letter.docx',
      docx(
        `${paragraph('Terms', 'Heading1')}${paragraph('Payment is due in 30 days &amp; no later.')}${table}<w:drawing/>`,
        'Contract',
      ),
    );
    expect(text).toBe('Terms\nPayment is due in 30 days & no later.\na | b');
    expect(facts).toMatchObject({ title: 'Contract', tables: 1, figures: 1 });
  });

  test('web pages are read without their scripts, and JSON on one line is laid out', async () => {
    const page = await ready(
      'page.html',
      '<!doctype html><title>Caf&eacute;</title><script>var x = "hidden"</script><h1>Menu</h1><table><tr><td>Tea</td><td>2 &euro;</td></tr></table><p>Open<br>daily</p>',
    );
    expect(page.text).toBe('Menu\nTea | 2 €\nOpen\ndaily');
    expect(page.facts).toMatchObject({ title: 'Menu', tables: 1 });
    const json = await ready(
      'data.json',
      JSON.stringify({ items: Array.from({ length: 40 }, (_, id) => ({ id, name: `thing ${id}` })) }),
    );
    expect(json.chunks.length).toBeGreaterThan(1);
    expect(json.text).toContain('"name": "thing 39"');
  });

  test('separated values keep codes as text and read quotes, line breaks and semicolons', async () => {
    const { text, facts } = await ready(
      'codes.csv',
      'code;note;amount\r\n007;"two\r\nlines; ""quoted""";12.5\r\n123456789012345678;x;-3\r\n',
    );
    expect(text).toBe('code | note | amount\n007 | two lines; "quoted" | 12.5\n123456789012345678 | x | -3');
    expect(facts.sheets[0]).toMatchObject({ name: 'codes', rows: 2, firstRow: 1, lastRow: 3 });
  });
});

describe('a file is what it holds', () => {
  test('plain words under the name of a PDF, a workbook or a Word document are a broken file', async () => {
    expect(await reason('report.PDF', 'not a pdf')).toBe('It is broken: its name says PDF, but it holds plain text');
    expect(await reason('book.xlsx', 'PK junk')).toContain('its name says workbook');
    expect(await reason('letter.docx', '# Not found\n\n- try again')).toContain('its name says Word document');
  });

  test('a wrong extension changes nothing', async () => {
    expect((await ready('really.txt', pdf([pdfText([[72, 700, 'hello']])]))).format).toBe('pdf');
    expect((await ready('really.pdf', xlsx({ A: rows([['x']]) }))).format).toBe('xlsx');
    expect((await ready('really.xlsx', 'a,b,c\n1,2,3\n4,5,6\n')).format).toBe('csv');
    expect((await ready('really.csv', '{"a": [1, 2, 3]}')).format).toBe('json');
    expect((await ready('prose.txt', 'First, a word. Second, another.\nThird, more.\n')).format).toBe('txt');
  });

  test('nothing, blanks, pictures and unknown formats each get a reason', async () => {
    expect(await reason('empty.xlsx', '')).toBe('It is empty');
    expect(await reason('blank.txt', ' \n\t\n ')).toBe('It has no text');
    expect(
      await reason(
        'photo.txt',
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(200).fill(0)]),
      ),
    ).toContain('the image has no size');
    expect(await reason('data.txt', Buffer.from([1, 2, 3, 4, ...new Array(200).fill(0)]))).toContain(
      'neither text nor a document',
    );
    expect(await reason('locked.xlsx', compound('EncryptedPackage'))).toContain('password');
    expect(await reason('old.doc', compound('WordDocument'))).toContain('.docx');
  });
});

test('a process that runs out of memory costs only its own file', async () => {
  const small = new ProcessReader({ limits: { ...limits, maxRows: 1e9, maxHeapMegabytes: 24 }, processes: 1 });
  try {
    const large = `a,b,c\n${'word,other,third\n'.repeat(700_000)}`;
    expect(await reason('large.csv', large, small)).toMatch(/memory|too large/);
    expect((await read('small.txt', 'still alive', small)).text).toBe('still alive');
  } finally {
    await small.close();
  }
});

test('who gives up while others are read leaves the queue', async () => {
  const narrow = new ProcessReader({ limits, processes: 1 });
  try {
    const path = join(folder, 'queue.txt');
    await writeFile(path, 'one after the other');
    const file = { path, name: 'queue.txt' };
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const first = narrow.read(file, { onChunks: () => held });
    const caller = new AbortController();
    const queued = narrow.read(file, { onChunks: async () => {}, signal: caller.signal });
    caller.abort(new Error('enough'));
    await expect(queued).rejects.toThrow('enough');
    letGo();
    expect(await first).toMatchObject({ ok: true });
  } finally {
    await narrow.close();
  }
});

test('closing ends what is being read and what waits for it', async () => {
  const closing = new ProcessReader({ limits, processes: 1 });
  const path = join(folder, 'closing.csv');
  // So long that its first chunks are given while the process still has more.
  await writeFile(path, `a,b\n${`${'some words '.repeat(20)},and others\n`.repeat(4_000)}`);
  const file = { path, name: 'closing.csv' };
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const forever = new Promise<void>(() => {});
  const underWay = closing.read(file, {
    onChunks: () => {
      begin();
      return forever;
    },
  });
  const queued = expect(closing.table(file, 'csv', { sheet: 'closing', texts: [], places: [] })).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
  });
  await begun;
  await closing.close();
  expect(await underWay).toMatchObject({ ok: false, reason: expect.stringContaining('closed') });
  await queued;
});

/** Calls back with each process that reads as soon as it runs, until the returned function is called. */
function onStart(use: (child: ChildProcess) => void): () => void {
  const made = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    // Those without a channel are other programs.
    child.once('spawn', () => child.channel && use(child));
  };
  subscribe('child_process', made);
  return () => unsubscribe('child_process', made);
}

test('a process that is ended while it has nothing to do is replaced', async () => {
  const own = new ProcessReader({ limits, processes: 1 });
  const children: ChildProcess[] = [];
  const stop = onStart((child) => children.push(child));
  try {
    expect((await read('one.txt', 'one', own)).text).toBe('one');
    expect(children).toHaveLength(1);
    const gone = once(children[0]!, 'exit');
    children[0]!.kill('SIGKILL');
    await gone;
    expect((await read('two.txt', 'two', own)).text).toBe('two');
    expect(children).toHaveLength(2);
  } finally {
    stop();
    await own.close();
  }
});

test('a file whose reading is ended from outside is tried once more, and fails when it happens again', async () => {
  const own = new ProcessReader({ limits: { ...limits, maxRows: 1e9 }, processes: 1 });
  const children: ChildProcess[] = [];
  let kills = 0;
  const stop = onStart((child) => {
    children.push(child);
    if (kills-- > 0) child.kill('SIGKILL');
  });
  const large = `a,b,c\n${'word,other,third\n'.repeat(200_000)}`;
  try {
    kills = 1;
    expect((await read('large.csv', large, own)).outcome.ok).toBe(true);
    expect(children).toHaveLength(2);
    for (const child of children) child.kill('SIGKILL');
    kills = 2;
    expect(await reason('large.csv', large, own)).toContain('could not be read to its end');
  } finally {
    stop();
    await own.close();
  }
});

test('a PDF of five kilobytes that draws itself without end costs its process and no more', async () => {
  const own = new ProcessReader({ limits: { ...limits, maxHeapMegabytes: 64, maxSeconds: 20 }, processes: 1 });
  try {
    const content = nestedForms(12, 12);
    expect(content.length).toBeLessThan(5_000);
    expect(await reason('nested.pdf', content, own)).toMatch(/memory|seconds|broken/);
    expect((await read('small.txt', 'still alive', own)).text).toBe('still alive');
  } finally {
    await own.close();
  }
});

test('a file that takes memory outside of the heap ends its process, and the reason says so', async () => {
  // The bytes of a file lie outside of the heap, and are more than the heap and the program together may take.
  const own = new ProcessReader({
    limits: { ...limits, maxHeapMegabytes: 64, maxFileBytes: 600 * 2 ** 20 },
    processes: 1,
  });
  try {
    expect(await reason('huge.txt', Buffer.alloc(420 * 2 ** 20, 'a b\n'), own)).toBe(
      'It needs more than 64 MB of memory to be read',
    );
    expect((await read('small.txt', 'still alive', own)).text).toBe('still alive');
  } finally {
    await own.close();
  }
});

test('the watch sees memory that no heap knows of', requires(process.platform !== 'win32', 'linux'), async () => {
  const child = spawn(process.execPath, [
    '-e',
    'globalThis.kept = Buffer.alloc(300 << 20, 1); setInterval(() => {}, 1e6)',
  ]);
  try {
    await new Promise<void>((resolve) => watchMemory(child.pid!, 200 * 2 ** 20, resolve));
  } finally {
    child.kill('SIGKILL');
  }
});

test('rows and whole tables are given back by their place', async () => {
  const path = join(folder, 'table.xlsx');
  await writeFile(
    path,
    xlsx({ A: rows([['no'], [0]]), B: rows([['Title'], ['id', 'name'], [1, 'one'], [2, 'two'], [3, 'three']]) }),
  );
  const file = { path, name: 'table.xlsx' };
  expect(await reader.rows(file, 'xlsx', { sheet: 'B', from: 3, to: 4, enoughCharacters: 100 })).toEqual([
    { number: 3, cells: [1, 'one'] },
    { number: 4, cells: [2, 'two'] },
  ]);
  const untilEnough = { sheet: 'B', from: 1, to: 2_000_000, enoughCharacters: 6 };
  expect((await reader.rows(file, 'xlsx', untilEnough)).map(({ number }) => number)).toEqual([1, 2]);
  expect(await reader.table(file, 'xlsx', { sheet: 'B', texts: ['id'], places: ['_row'] })).toEqual({
    columns: [
      { name: 'id', type: 'integer', share: 1 },
      { name: 'name', type: 'text', share: 1 },
      { name: 'id (text)', type: 'text', share: 1 },
      { name: '_row', type: 'integer', share: 1 },
    ],
    rows: [
      [1, 'one', '1', 3],
      [2, 'two', '2', 4],
      [3, 'three', '3', 5],
    ],
  });
});
