import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { ProcessReader } from '../../src/backends/reader-processes.ts';
import { defaultLimits } from '../../src/domain/document.ts';
import { docx, paragraph, pdf, pdfText, rows, xlsx } from '../make-files.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'memorylake-damaged-'));
const reader = new ProcessReader({ limits: { ...defaultLimits, maxSeconds: 60 }, processes: 1 });
afterAll(async () => {
  await reader.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(name: string, content: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, content);
  const texts: string[] = [];
  const onChunks = async (chunks: readonly { text: string }[]) => void texts.push(...chunks.map(({ text }) => text));
  return { outcome: await reader.read({ path, name }, { onChunks }), text: texts.join('\n') };
}

const table = [
  ['harbour', 'height'],
  ['north', 2.5],
];
const sheet = rows(table as (string | number)[][]);
const oldWorkbook = utils.book_new();
utils.book_append_sheet(oldWorkbook, utils.aoa_to_sheet(table), 'Tides');

/** Every kind of file with `north` in it, and the markup inside it that can be damaged before it is packed. */
const kinds: Record<string, { name: string; make(inside: (markup: string) => string): Buffer }> = {
  workbook: { name: 'a.xlsx', make: (inside) => xlsx({ Tides: inside(sheet) }) },
  'old workbook': { name: 'a.xls', make: () => write(oldWorkbook, { type: 'buffer', bookType: 'biff8' }) as Buffer },
  'Word document': { name: 'a.docx', make: (inside) => docx(inside(paragraph('north', 'Heading1'))) },
  PDF: { name: 'a.pdf', make: (inside) => pdf([inside(pdfText([[50, 700, 'north']]))]) },
  'web page': { name: 'a.html', make: (inside) => Buffer.from(inside('<table><tr><td>north</td></tr></table>')) },
  CSV: { name: 'a.csv', make: (inside) => Buffer.from(inside('harbour,height\n"north",2.5\n')) },
  JSON: { name: 'a.json', make: (inside) => Buffer.from(inside('{"harbours":[{"name":"north"}]}')) },
  Markdown: { name: 'a.md', make: (inside) => Buffer.from(inside('# north\n\n| a | b |\n| - | - |\n| 1 | 2 |\n')) },
};

const junk = fc.constantFrom(
  '<',
  '>',
  '"',
  '&#x110000;',
  '<row>',
  '</c>',
  '\0',
  '\ud800',
  '(',
  ')',
  '[',
  '{',
  '\n',
  ']]>',
);
/** What happens to the markup: pieces put in at places given as shares of its length. */
const insertions = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), junk), { maxLength: 3 });
/** What happens to the bytes of the file: some are changed, and perhaps its end is missing. */
const damages = fc.record({
  changes: fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)), { maxLength: 4 }),
  cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});

test.each(Object.entries(kinds))(
  'a damaged %s is read, or refused in words, and the next file is read',
  async (_, kind) => {
    const whole = kind.make((markup) => markup);
    expect((await read(kind.name, whole)).text).toContain('north');
    await fc.assert(
      fc.asyncProperty(insertions, damages, async (pieces, { changes, cut }) => {
        const file = kind.make((markup) => pieces.reduce(insert, markup));
        for (const [share, byte] of changes) file[Math.floor(share * file.length)] = byte;
        const { outcome, text } = await read(kind.name, cut === null ? file : file.subarray(0, cut * file.length));
        expect(outcome).toMatchObject(
          outcome.ok ? { facts: { chunks: expect.any(Number) } } : { reason: expect.stringMatching(/^It \w+/) },
        );
        expect(text !== '').toBe(outcome.ok);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 80) },
    );
    expect((await read(kind.name, whole)).text).toContain('north');
  },
);

function insert(markup: string, [share, piece]: readonly [number, string]): string {
  const at = Math.floor(share * markup.length);
  return markup.slice(0, at) + piece + markup.slice(at);
}
