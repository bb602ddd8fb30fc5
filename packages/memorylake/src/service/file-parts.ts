import type { IndexedChunk } from '@atoll-mcp/core/storage';
import { tokeniseForIndex } from '@atoll-mcp/storage/search';
import type { ReadChunk, ReadOutcome } from '../backends/interface.ts';
import { typeOfFormat } from '../domain/document.ts';
import { isEnglish } from '../domain/language.ts';
import { cutToWeight } from '../domain/text/sentences.ts';
import type { NewSheet } from './name-tables.ts';

type GoodOutcome = ReadOutcome & { ok: true };

/** A file as it was read. */
export interface ReadFile {
  readonly name: string;
  readonly outcome: GoodOutcome;
  readonly chunks: readonly ReadChunk[];
  readonly card: { readonly text: string; readonly terms: readonly string[] };
  /** Null if unknown. */
  readonly english: boolean | null;
}

export function readFile(name: string, outcome: GoodOutcome, chunks: readonly ReadChunk[]): ReadFile {
  return { name, outcome, chunks, card: cardOf(name, outcome), english: languageOf(chunks) };
}

/** The card describes the memory as a whole: name, sheets, columns and summary. */
function cardOf(name: string, { summary, facts }: GoodOutcome): ReadFile['card'] {
  const sheets = [...facts.sheets, ...facts.documentTables.filter(({ place }) => place.sheet)].map((sheet) =>
    [sheet.name, ...sheet.columns.map((column) => column.name)].join(' '),
  );
  const words = [name, facts.title ?? '', ...sheets, ...facts.headings].filter((part) => part !== '').join('\n');
  return { text: cutToWeight(`${name}\n${summary}`, 900)[0] ?? name, terms: tokeniseForIndex(words.slice(0, 8_000)) };
}

const SAMPLED_CHUNKS = 8;
const SAMPLED_CHARACTERS = 4_000;

function languageOf(chunks: readonly ReadChunk[]): boolean | null {
  const sample = chunks.slice(0, SAMPLED_CHUNKS).map(({ text }) => text);
  return isEnglish(sample.join('\n').slice(0, SAMPLED_CHARACTERS)) ?? null;
}

/** The fields of a record that depend on the file. */
export function factsOf({ outcome: { format, facts }, chunks, english }: ReadFile) {
  const { tables, figures, pages } = facts;
  const type = typeOfFormat(format);
  return {
    status: 'ready',
    reason: null,
    type,
    format,
    chunks: chunks.length,
    tables,
    figures,
    pages,
    english,
  } as const;
}

/** What is recorded of a file that could not be read. */
export const noFacts = {
  format: null,
  summary: '',
  chunks: 0,
  tables: 0,
  figures: 0,
  pages: 0,
  model: null,
  multilingual: null,
} as const;

/** The sheets of a file, and the tables of a document, as they are recorded. */
export function tablesOf({ outcome: { facts } }: ReadFile): [NewSheet[], NewSheet[]] {
  const sheets = facts.sheets.map(({ name, rows, columns }) => ({
    name,
    rows,
    columns: columns.map((column) => column.name),
    types: columns.map(({ name: _name, holds: _holds, ...info }) => info),
  }));
  const documentTables = facts.documentTables.map(({ name, place, rows, columns }) => ({
    name,
    place,
    rows,
    columns: columns.map((column) => column.name),
    types: columns.map(({ name: _name, ...info }) => info),
  }));
  return [sheets, documentTables];
}

/** The card first, then the passages; vectors in the same order. */
export function indexedChunks(
  { name, outcome: { summary }, chunks, card }: ReadFile,
  vectors: readonly Float32Array[] | undefined,
): IndexedChunk[] {
  return [
    { terms: card.terms, vector: vectors?.[0], payload: { text: summary, place: {}, context: name } },
    ...chunks.map((chunk, at) => ({
      // Computed on demand to save memory.
      get terms() {
        return chunk.terms;
      },
      vector: vectors?.[at + 1],
      payload: { text: chunk.text, place: chunk.place, context: chunk.context },
    })),
  ];
}
