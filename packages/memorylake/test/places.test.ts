import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReadChunk } from '../src/backends/interface.ts';
import { ProcessReader } from '../src/backends/reader-processes.ts';
import { defaultLimits, type TextBlock } from '../src/domain/document.ts';
import { type Chunk, TextChunker } from '../src/domain/text/chunk-text.ts';
import { pdf, pdfText, rows, xlsx } from './make-files.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let reader: ProcessReader;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memorylake-places-'));
  reader = new ProcessReader({ limits: defaultLimits, processes: 1 });
});
afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true, force: true });
});

async function chunksOf(name: string, content: Buffer | string): Promise<ReadChunk[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  const chunks: ReadChunk[] = [];
  const outcome = await reader.read({ path, name }, { onChunks: async (batch) => void chunks.push(...batch) });
  expect(outcome).toMatchObject({ ok: true });
  return chunks;
}

/** Words that occur once in the whole file, so that they can only be found where they stand. */
const words = (from: number, count: number): string[] => Array.from({ length: count }, (_, at) => `word${from + at}x`);
const wordsIn = (text: string): string[] => text.match(/word\d+x/g) ?? [];

const sentence = (from: number): string => `${words(from, 9).join(' ')}.`;
const longParagraph = (from: number, lines: number): string =>
  Array.from({ length: lines }, (_, at) => sentence(from + at * 9)).join('\n');
const prose = [0, 1, 2, 3, 4].map((at) => longParagraph(at * 1_000, [3, 60, 1, 25, 8][at]!)).join('\n\n\n');
const markdown = [0, 1, 2]
  .map((at) => `# Part ${at}\n\n## Section ${at}\n\n${longParagraph(at * 1_000, 30)}`)
  .join('\n\n');

describe('every chunk is found at its place in the file', () => {
  test.each([
    ['prose.txt', prose],
    ['prose with other line ends.txt', prose.replaceAll('\n', '\r\n')],
    ['one long line.txt', `first\n${words(0, 2_000).join(' ')}\nlast`],
    ['notes.md', markdown],
    ['data.json', JSON.stringify(words(0, 500), null, 2)],
  ])('lines of %s', async (name, content) => {
    const lines = content.split(/\r\n|\n/);
    const chunks = await chunksOf(name, content);
    expect(chunks.flatMap(({ text }) => wordsIn(text))).toEqual(wordsIn(content));
    for (const { text, place } of chunks) {
      const [first, last] = place.lines!;
      const range = lines.slice(first - 1, last);
      expect(wordsIn(range.join('\n'))).toEqual(expect.arrayContaining(wordsIn(text)));
      // The range is not wider than the text: its first and last line are those of the text.
      const written = text.split('\n').map((line) => line.trim());
      expect(range[0]).toContain(written[0]);
      expect(range.at(-1)).toContain(written.at(-1));
    }
  });

  test('rows of a CSV file and of a workbook', async () => {
    const table = Array.from({ length: 400 }, (_, at) => [
      `word${at}x`,
      at % 3 === 0 ? '' : at,
      sentence(1_000 + at * 9),
    ]);
    const files = {
      'table.csv': ['key,n,text', ...table.map((row) => row.join(','))].join('\n'),
      'book.xlsx': xlsx({ Data: rows([['key', 'n', 'text'], ...table]) }),
    };
    for (const [name, content] of Object.entries(files)) {
      const chunks = await chunksOf(name, content);
      expect(chunks.length).toBeGreaterThan(10);
      for (const { text, place } of chunks) {
        const [first, last] = place.rows!;
        // Row 1 is the header.
        const there = table.slice(Math.max(0, first - 2), last - 1).flatMap((row) => wordsIn(row.join(' ')));
        expect(wordsIn(text)).toEqual(there);
      }
    }
  });

  test('pages of a PDF', async () => {
    const pages = Array.from({ length: 5 }, (_, page) =>
      pdfText(
        Array.from({ length: 20 }, (_, line) => [50, 700 - line * 20, sentence(page * 1_000 + line * 9)] as const),
      ),
    );
    for (const { text, place } of await chunksOf('pages.pdf', pdf(pages))) {
      for (const word of wordsIn(text)) expect(Math.floor(Number(word.slice(4, -1)) / 1_000) + 1).toBe(place.page);
    }
  });
});

describe('places of blocks that have no lines', () => {
  function chunked(...blocks: TextBlock[]): Chunk[] {
    const chunks: Chunk[] = [];
    const chunker = new TextChunker((chunk) => chunks.push(chunk));
    for (const block of blocks) chunker.add(block);
    chunker.flush();
    return chunks;
  }
  const text = 'a sentence of some length. '.repeat(20).trim();

  test('name the headings above and the paragraphs', () => {
    const chunks = chunked(
      { text: 'Report', line: 1, paragraph: 1, heading: 1 },
      { text: 'Costs', line: 2, paragraph: 2, heading: 2 },
      { text, line: 3, paragraph: 3 },
      { text, line: 4, paragraph: 4 },
      { text: 'Income', line: 5, paragraph: 5, heading: 2 },
      { text: 'short', line: 6, paragraph: 6 },
    );
    expect(chunks.map(({ place }) => place)).toEqual([
      { headings: ['Report', 'Costs'], paragraphs: [1, 3] },
      { headings: ['Report', 'Costs'], paragraphs: [4, 4] },
      { headings: ['Report', 'Income'], paragraphs: [5, 6] },
    ]);
  });

  test('keep slides, parts and pages apart', () => {
    const places = chunked(
      { text: 'one', line: 1, slide: 1 },
      { text: 'notes', line: 2, slide: 1, part: 'speaker notes' },
      { text: 'two', line: 3, slide: 2 },
      { text: 'mail', line: 4, part: 'attachment plan.txt' },
      { text: 'page', line: 5, page: 1 },
      { text: 'next page', line: 6, page: 2 },
    ).map(({ place }) => place);
    expect(places).toEqual([
      { slide: 1 },
      { slide: 1, part: 'speaker notes' },
      { slide: 2 },
      { part: 'attachment plan.txt', lines: [4, 4] },
      { page: 1 },
      { page: 2 },
    ]);
  });

  test('give each piece of a long block the boxes of its own lines', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at} of a block that is too long for one chunk.`);
    const boxes = lines.map((_, at) => [0, at * 10, 100, at * 10 + 9] as const);
    const chunks = chunked({ text: lines.join('\n'), line: 1, page: 3, boxes });
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flatMap(({ place }) => place.boxes)).toEqual(boxes);
    for (const { text, place } of chunks) {
      expect(place.page).toBe(3);
      expect(text.split('\n')).toEqual(place.boxes!.map(([, top]) => lines[top / 10]));
    }
  });
});
