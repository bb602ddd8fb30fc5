import { describe, expect, test } from 'vitest';
import { readHere, refusal } from './read-here.ts';

describe('text formats of programs are read as what they say', () => {
  test('a notebook: text, code and what it printed, without its pictures', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Revenue\n', 'We look at 2024.'] },
      {
        cell_type: 'code',
        source: "print('total', 42)",
        outputs: [
          { output_type: 'stream', text: ['total 42\n'] },
          { output_type: 'display_data', data: { 'image/png': 'A'.repeat(5000), 'text/plain': '<Figure>' } },
        ],
      },
    ];
    const { format, title, text } = await readHere('a.ipynb', JSON.stringify({ cells, nbformat: 4, metadata: {} }));
    expect({ format, title }).toEqual({ format: 'notebook', title: 'Revenue' });
    expect(text).toBe("Revenue\nWe look at 2024.\nprint('total', 42)\ntotal 42\n");
  });

  test('a calendar: folded lines, escapes, zones, and a table of its events', async () => {
    const { format, text, tables, blocks } = await readHere(
      'a.ics',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;TZID=Europe/Berlin:20260301T090000\r\nSUMMARY:Dentist\\, Dr. Müller\r\nDESCRIPTION:Bring the ins\r\n urance card\r\nATTENDEE;CN="Ann; Lee":mailto:ann@example.org\r\nBEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    );
    expect(format).toBe('calendar');
    expect(text).toContain('Dentist, Dr. Müller\nStart: 2026-03-01 09:00:00 Europe/Berlin');
    expect(text).toContain('Bring the insurance card');
    expect(text).not.toContain('Reminder');
    expect(blocks[0]!.line).toBe(2);
    expect(tables[0]!.rows[0]!.cells).toEqual(['Summary', 'Start', 'Attendees', 'Description']);
  });

  test('an address book: quoted-printable text, no photos', async () => {
    const card = `BEGIN:VCARD\nVERSION:2.1\nFN:Anna Miller\nitem1.TEL;TYPE=CELL:+49 170\nNOTE;ENCODING=QUOTED-PRINTABLE:Gr=C3=BC=\n=C3=9Fe\nADR:;;Main street 5;Bonn;;;\nPHOTO;ENCODING=b:${'A'.repeat(70)}\n ${'A'.repeat(70)}\nEND:VCARD\n`;
    expect((await readHere('a.vcf', card)).text).toBe(
      'Anna Miller\nPhone: +49 170\nAddress: Main street 5, Bonn\nNote: Grüße',
    );
  });

  test('subtitles: each cue with its time, without marks', async () => {
    const srt = await readHere(
      'a.srt',
      '1\n00:00:01,000 --> 00:00:04,000\nHello there.\n\n2\n00:00:05,000 --> 00:00:07,500\n<i>The pier opens.</i>\n',
    );
    expect(srt).toMatchObject({ format: 'subtitles', text: '00:00:01 Hello there.\n00:00:05 The pier opens.' });
    expect(srt.blocks.map(({ line }) => line)).toEqual([2, 6]);
    expect((await readHere('a.vtt', 'WEBVTT\n\n00:01.000 --> 00:04.000\n<v Anna>Hello</v>\n')).text).toBe(
      '00:00:01 Anna: Hello',
    );
  });

  test('XML: text under its names, in the encoding that it declares; running text in one piece', async () => {
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<list>\n<book id="b1"><author>M\u00fcller</author><title>Sea &amp; land</title></book>\n<p>The <b>pier</b> opens.</p></list>`;
    const { format, text, blocks } = await readHere('a.xml', Buffer.from(xml, 'latin1'));
    expect(format).toBe('xml');
    expect(text).toContain('id: b1\nauthor: Müller\ntitle: Sea & land');
    expect(text.replace(/\s+/g, ' ')).toContain('The pier opens.');
    expect(blocks.find((block) => block.text.includes('Müller'))!.line).toBe(3);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9"><title>Plan</title><path d="M0 0L9 9z"/><text x="3">Exit</text></svg>';
    expect((await readHere('a.svg', svg)).text).toBe('title: Plan\ntext: Exit');
  });

  test('records in JSON and JSON Lines are tables, and their letters are letters', async () => {
    const lines =
      '{"id": 1, "city": "K\\u00f6ln", "a": {"b": 2}}\n{"id": 2, "city": "Bonn"}\n{"id": 3, "city": "Rom"}\n';
    const { format, text, tables } = await readHere('rows.jsonl', lines);
    expect({ format, rows: tables[0]!.rows.map(({ cells }) => cells) }).toEqual({
      format: 'json',
      rows: [
        ['id', 'city', 'a.b'],
        [1, 'Köln', 2],
        [2, 'Bonn', null],
        [3, 'Rom', null],
      ],
    });
    expect(text).toContain('Köln');
    expect((await readHere('a.json', '[{"a":1},{"a":2}]')).tables[0]!.rows).toHaveLength(3);
    expect((await readHere('a.json', '{"count":2,"items":[{"a":1},{"a":2}]}')).tables[0]).toMatchObject({
      caption: 'items',
    });
    expect((await readHere('a.json', '[{"a":1},{"b":2},{"c":3},{"d":4},{"e":5}]')).tables).toEqual([]);
    expect(
      (await readHere('cut.jsonl', '{"a": 1, "b": 2, "c": 3}\n{"a": 1, "b": 2, "c": 3}\n{"a": 1, "b": 2, "c')).format,
    ).toBe('txt');
  });

  test('a table in Markdown is a table', async () => {
    const { tables } = await readHere('a.md', '# T\n\nName | Price\n--- | ---:\n`a\\|b` | 5\nc |\n\ntext\n');
    expect(tables.map(({ rows }) => rows.map(({ cells }) => cells))).toEqual([
      [
        ['Name', 'Price'],
        ['`a|b`', '5'],
        ['c', null],
      ],
    ]);
  });

  test('a page saved as one file has its text and no attachments', async () => {
    const page =
      'From: <Saved by Blink>\nSubject: Harbour\nMIME-Version: 1.0\nContent-Type: multipart/related;\n\ttype="text/html";\n\tboundary="B"\n\n--B\nContent-Type: text/html\n\n<p>The pier opens.</p>\n--B\nContent-Type: text/css\nContent-Location: cid:css\n\np { color: red }\n--B--\n';
    const { text } = await readHere('a.mht', page);
    expect(text).toContain('The pier opens.');
    expect(text).not.toMatch(/Attachment|color/);
  });
});

const box = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`), Buffer.alloc(99)]);

test.each<[string, Buffer | string, string]>([
  ['photo.heic', box('heic'), 'It is a HEIC photo. Save it as JPEG or PNG'],
  ['film.mp4', box('isom'), 'It is an MP4 video or sound'],
  ['plan.dwg', Buffer.concat([Buffer.from('AC1032'), Buffer.alloc(99)]), 'It is an AutoCAD drawing. Save it as PDF'],
  ['mail.pst', Buffer.concat([Buffer.from('!BDN'), Buffer.alloc(99)]), 'Outlook mailbox'],
  ['key.pem', `-----BEGIN PRIVATE KEY-----\n${'MIIDdzCCAl+g'.repeat(20)}\n`, 'It is a key or a certificate'],
  ['blob.txt', `${'QUJDREVGR0hJSktM01'.repeat(40)}==`, 'It is base64'],
])('%s is refused by what it is', async (name, content, reason) => {
  expect(await refusal(name, content)).toContain(reason);
});

test('text formats that are damaged or made to harm are read as text or refused, and soon', async () => {
  const deep = `${'<a>x'.repeat(50_000)}${'</a>'.repeat(50_000)}`;
  expect(await refusal('a.xml', `<?xml version="1.0"?>${deep}`)).toContain('nested more than 1000 deep');
  const brackets = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(await refusal('a.json', brackets)).toMatch(/read as|nested/);
  const broken = `${'{"a": 1}\n'.repeat(20_000)}{"a": 1`;
  expect(await readHere('a.jsonl', broken)).toMatchObject({ format: 'json', tables: [] });
  const wide = Array.from({ length: 2_000 }, (_, at) => `{"k${at}": 1, "k${at + 1}": 2}`).join('\n');
  expect((await readHere('a.jsonl', wide)).tables).toEqual([]);
  expect(await refusal('a.ics', `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(50_000)}`)).toContain('read as');
});
