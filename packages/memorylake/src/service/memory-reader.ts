import type { FileReader, LocalBlobStore } from '../backends/interface.ts';
import { type DrawnPage, describePlace, isUnsure, type Place } from '../domain/document.ts';
import { lineOf } from '../domain/tables/chunk-rows.ts';
import { badRows, offsetTooLarge, placeNotFound } from '../errors.ts';
import { CARD, type ChunkPayload, type LakeIndex } from './lake-index.ts';
import type { MemoryRecord } from './memory-record.ts';

export interface ReadOptions {
  readonly page?: number | undefined;
  readonly sheet?: string | undefined;
  readonly rows?: string | undefined;
  readonly chunk?: number | undefined;
  /** First and last turn of a chat: "3:9". */
  readonly turns?: string | undefined;
  /** Characters to skip: `nextOffset` of an earlier answer. */
  readonly offset?: number | undefined;
}

export interface ReadText {
  readonly place: string;
  readonly text: string;
  readonly truncated: boolean;
  /** Where to continue, if there is more text. */
  readonly nextOffset: number | undefined;
}

const MAX_ANSWER_CHARACTERS = 40_000;
const DEFAULT_ROWS = 200;
/** Fetched per request to the index; more than fit into one answer. */
const CHUNKS_PER_FETCH = 500;
const CHUNK_SEPARATOR = '\n\n';

/** Reads the text of a memory, or of one place in it. */
export class MemoryReader {
  readonly #options: MemoryReaderOptions;

  constructor(options: MemoryReaderOptions) {
    this.#options = options;
  }

  async read(memory: MemoryRecord, options: ReadOptions, signal?: AbortSignal): Promise<ReadText> {
    const offset = options.offset ?? 0;
    if (options.chunk !== undefined) return this.#chunk(memory, options.chunk, offset);
    if (options.sheet !== undefined || options.rows !== undefined) return this.#rows(memory, options, signal);
    if (options.turns !== undefined) return this.#turns(memory, options.turns, offset);
    if (options.page !== undefined) return this.#page(memory, options.page, offset);
    const found: ChunkPayload[] = [];
    let length = 0;
    for (
      let first = CARD + 1;
      first <= memory.chunks && length <= offset + MAX_ANSWER_CHARACTERS;
      first += CHUNKS_PER_FETCH
    ) {
      const passages = await this.#passages(memory, first, CHUNKS_PER_FETCH);
      found.push(...passages);
      length += passages.reduce((sum, { text }) => sum + text.length + CHUNK_SEPARATOR.length, 0);
    }
    return joined('', found, offset);
  }

  /** The passages that match, in order. */
  async passagesWhere(
    memory: MemoryRecord,
    isWanted: (passage: { chunk: number; place: Place }) => boolean,
  ): Promise<ChunkPayload[]> {
    const found: ChunkPayload[] = [];
    for (let first = CARD + 1; first <= memory.chunks; first += CHUNKS_PER_FETCH) {
      const passages = await this.#passages(memory, first, CHUNKS_PER_FETCH);
      found.push(...passages.filter(({ place }, at) => isWanted({ place, chunk: first + at })));
    }
    return found;
  }

  /** The passage of this number, if there is one. */
  async passage(memory: MemoryRecord, chunk: number): Promise<ChunkPayload | undefined> {
    if (chunk <= CARD || chunk > memory.chunks) return undefined;
    const [passage] = await this.#passages(memory, chunk, 1);
    return passage;
  }

  /** A page of a PDF as a picture. */
  async draw(memory: MemoryRecord, page: number, signal?: AbortSignal): Promise<DrawnPage> {
    if (memory.format !== 'pdf' || page > memory.pages) throw noSuchPage(memory, page);
    const path = await this.#options.blobs.localPath(memory.blobKey);
    return this.#options.reader.draw({ path, name: memory.name }, page, signal);
  }

  async #chunk(memory: MemoryRecord, number: number, offset: number): Promise<ReadText> {
    const [passage] = await this.#passages(memory, number, 1);
    if (!passage) throw placeNotFound(memory.name, `chunk ${number}`, `It has chunks 1 to ${memory.chunks}.`);
    return joined(describePlace(passage.place), [passage], offset);
  }

  async #page(memory: MemoryRecord, page: number, offset: number): Promise<ReadText> {
    if (page > memory.pages) throw noSuchPage(memory, page);
    const found: ChunkPayload[] = [];
    for (let first = CARD + 1; first <= memory.chunks; first += CHUNKS_PER_FETCH) {
      const passages = await this.#passages(memory, first, CHUNKS_PER_FETCH);
      found.push(...passages.filter(({ place }) => place.page === page));
      if ((passages.at(-1)?.place.page ?? 0) > page) break;
    }
    return joined(`page ${page}`, found, offset);
  }

  async #turns(memory: MemoryRecord, range: string, offset: number): Promise<ReadText> {
    const [from, to] = rangeOf(range);
    const found = await this.passagesWhere(memory, ({ place: { turn = 0 } }) => turn >= from && turn <= to);
    if (found.length === 0)
      throw placeNotFound(memory.name, `turn ${range}`, 'Only chats have turns; its summary says how many.');
    return joined(`turns ${from}–${to}`, found, offset);
  }

  async #rows(memory: MemoryRecord, { sheet, rows, offset = 0 }: ReadOptions, signal?: AbortSignal): Promise<ReadText> {
    const names = memory.sheets.map(({ name }) => name);
    const name = sheet ?? names[0];
    if (name === undefined || !names.includes(name)) {
      const there = names.length > 0 ? `Its sheets are: ${names.join(', ')}.` : 'It has no sheets.';
      throw placeNotFound(memory.name, `sheet "${sheet ?? ''}"`, there);
    }
    const [from, to] = rangeOf(rows);
    const path = await this.#options.blobs.localPath(memory.blobKey);
    // Without a range, read one more row to see whether there are further ones.
    const range = {
      sheet: name,
      from,
      to: rows === undefined ? to + 1 : to,
      enoughCharacters: offset + MAX_ANSWER_CHARACTERS,
    };
    const read = await this.#options.reader.rows({ path, name: memory.name }, memory.format!, range, signal);
    const found = read.filter(({ number }) => number <= to);
    const last = found.at(-1)?.number ?? from;
    const place: Place = { sheet: name, rows: [found[0]?.number ?? from, last] };
    const text = joined(describePlace(place), [{ text: found.map((row) => lineOf(row.cells)).join('\n') }], offset);
    return found.length < read.length ? { ...text, truncated: true } : text;
  }

  #passages(memory: MemoryRecord, first: number, count: number): Promise<readonly ChunkPayload[]> {
    return this.#options.passages(memory, first, count);
  }
}

/** Returns passages of a memory, counted from one. */
export type PassageSource = (memory: MemoryRecord, first: number, count: number) => Promise<readonly ChunkPayload[]>;

interface MemoryReaderOptions {
  readonly passages: PassageSource;
  readonly blobs: LocalBlobStore;
  readonly reader: FileReader;
}

/** Passages of current versions, from the index. */
export const indexedPassages =
  (lakeIndex: LakeIndex): PassageSource =>
  async (memory, first, count) => {
    const index = await lakeIndex.index();
    const last = Math.min(first + count - 1, memory.chunks);
    const refs = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => ({
      documentId: memory.id,
      chunk: first + at,
    }));
    return (await index.payloads(refs)).filter((payload): payload is ChunkPayload => payload !== undefined);
  };

function noSuchPage({ name, pages }: MemoryRecord, page: number) {
  const there = pages > 0 ? `It has pages 1 to ${pages}.` : 'It is not divided into pages.';
  return placeNotFound(name, `page ${page}`, there);
}

const unsure = ({ confidence = 0 }: Place): string =>
  `[Recognised with ${Math.round(confidence * 100)} % confidence; check it against the original]\n`;

function rangeOf(rows: string | undefined): [number, number] {
  if (rows === undefined) return [1, DEFAULT_ROWS];
  const match = /^\s*(\d+)\s*(?:[:–-]\s*(\d+)\s*)?$/.exec(rows);
  const from = Number(match?.[1]);
  const to = Number(match?.[2] ?? match?.[1]);
  if (!match || from < 1 || to < from) throw badRows(rows);
  return [from, to];
}

function joined(
  place: string,
  passages: readonly { readonly text: string; readonly place?: Place }[],
  offset: number,
): ReadText {
  const text = passages
    .map(({ text, place }) => (place && isUnsure(place) ? `${unsure(place)}${text}` : text))
    .join(CHUNK_SEPARATOR);
  if (offset > 0 && offset >= text.length) throw offsetTooLarge(offset, text.length);
  const end = offset + MAX_ANSWER_CHARACTERS;
  const truncated = text.length > end;
  return { place, text: text.slice(offset, end), truncated, nextOffset: truncated ? end : undefined };
}
