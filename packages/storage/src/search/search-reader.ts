import type {
  SearchFilter,
  SearchHit,
  SearchIndexDefinition,
  SearchRequest,
  SearchResult,
} from '@atoll-mcp/core/storage';
import type { SqliteConnection } from '../drivers/sqlite/sqlite-connection.ts';
import { allowedValues, isRange } from '../rules/attributes.ts';
import { ChunkSlots } from './chunk-slots.ts';
import { decodeCodes } from './quantized-vectors.ts';
import { chunkKey } from './search-file.ts';
import { LexicalIndex } from './search-lexical.ts';
import { VectorScan } from './search-vectors.ts';

type Ranked = { item: number; score: number }[];

/** Searches one file; runs in a thread of its own and holds there what a search goes through. */
export class SearchReader {
  readonly #connection: SqliteConnection;
  readonly #dimensions: number;
  #held: Held;

  constructor(connection: SqliteConnection, { dimensions }: SearchIndexDefinition) {
    this.#connection = connection;
    this.#dimensions = dimensions;
    this.#held = emptyIndex(dimensions);
  }

  search(request: Omit<SearchRequest, 'signal'>): SearchResult {
    return this.#connection.snapshot(() => {
      this.#catchUp();
      const mask = isNarrow(request.filter) ? this.#maskOf(request.filter) : this.#held.live;
      return { ...this.#lexical(request, mask), vector: this.#vector(request, mask) };
    });
  }

  /** Reads what is new, so that the next search has less to do. */
  warm(): void {
    this.#connection.snapshot(() => this.#catchUp());
  }

  #lexical({ terms = [], k }: SearchRequest, mask: Uint8Array): Pick<SearchResult, 'lexical' | 'lexicalBound'> {
    const numbered = terms.map(({ term, boost = 1 }) => {
      const row = this.#connection.get('SELECT id FROM terms WHERE term = ?', term);
      return { number: row && Number(row.id), boost };
    });
    const { ranked, bound } = this.#held.lexical.search(numbered, { k, mask, live: this.#held.live });
    return { lexical: this.#hits(ranked), lexicalBound: bound };
  }

  #vector({ vector, k }: SearchRequest, mask: Uint8Array): SearchHit[] {
    if (vector === undefined) return [];
    const candidates = this.#held.vectors.search(vector, { k, spare: SPARE, mask });
    const exact = candidates.flatMap(({ item }) => {
      const { doc, chunk } = this.#held.slots.chunk(item);
      const row = this.#connection.get('SELECT value FROM vectors WHERE key = ?', chunkKey(doc, chunk));
      return row === undefined ? [] : [{ item, score: dot(vector, row.value as Uint8Array) }];
    });
    exact.sort((a, b) => b.score - a.score || a.item - b.item);
    return this.#hits(exact.slice(0, k));
  }

  #hits(ranked: Ranked): SearchHit[] {
    return ranked.map(({ item, score }) => {
      const { documentId, chunk } = this.#held.slots.chunk(item);
      return { documentId, chunk, score };
    });
  }

  /** Which documents a filter wants; kept until anything changes, as clients narrow by the same few filters. */
  #maskOf(filter: SearchFilter): Uint8Array {
    const { slots, masks } = this.#held;
    const key = JSON.stringify(filter);
    const mask = masks.get(key) ?? slots.mask(this.#wanted(filter));
    masks.delete(key);
    masks.set(key, mask);
    if (masks.size > MAX_MASKS) masks.delete(masks.keys().next().value as string);
    return mask;
  }

  #wanted({ documentIds, attributes = {} }: SearchFilter): Set<number> {
    const tests: { sql: string; values: (string | number)[] }[] = Object.entries(attributes).map(([name, allowed]) => {
      if (isRange(allowed)) {
        const { atLeast = -Number.MAX_VALUE, atMost = Number.MAX_VALUE } = allowed;
        return { sql: WITHIN, values: [name, atLeast, atMost] };
      }
      const values = allowedValues(allowed);
      const named = JSON.stringify(values.filter((value) => value !== null).map((value) => JSON.stringify(value)));
      const having = 'doc IN (SELECT doc FROM attributes WHERE name = ? AND value IN (SELECT value FROM json_each(?)))';
      const lacking = 'doc NOT IN (SELECT doc FROM attributes WHERE name = ?)';
      return values.includes(null)
        ? { sql: `(${having} OR ${lacking})`, values: [name, named, name] }
        : { sql: having, values: [name, named] };
    });
    if (documentIds)
      tests.push({ sql: 'id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(documentIds)] });
    if (tests.length === 0) tests.push({ sql: '1', values: [] });
    const sql = `SELECT doc FROM documents WHERE ${tests.map((test) => test.sql).join(' AND ')}`;
    return new Set(this.#connection.all(sql, ...tests.flatMap(({ values }) => values)).map(({ doc }) => Number(doc)));
  }

  /** Takes in what any process wrote since the last time. */
  #catchUp(): void {
    const state = this.#connection.get(STATE);
    const newest = Number(state?.newest ?? 0);
    const change = Number(state?.change ?? 0);
    const oldest = Number(state?.oldest ?? 1);
    const updates = Number(state?.updates ?? 0);
    if (updates !== this.#held.updates) this.#held.masks.clear();
    this.#held.updates = updates;
    if (newest <= this.#held.newest && change === this.#held.change) return;
    const { slots } = this.#held;
    const isWasteful = slots.used - slots.live > Math.max(slots.live, 10_000);
    const held = this.#held.change + 1 < oldest || isWasteful ? emptyIndex(this.#dimensions) : this.#held;
    // A partial update would stay wrong: after a failure the next search reads everything again.
    this.#held = emptyIndex(this.#dimensions);
    this.#takeIn(held);
    for (const { doc } of this.#connection.all('SELECT doc FROM removals WHERE change > ?', held.change)) {
      const gone = held.slots.remove(Number(doc));
      if (gone !== undefined) held.lexical.remove(gone);
    }
    held.change = change;
    held.updates = updates;
    held.masks.clear();
    held.live = held.slots.mask();
    this.#held = held;
  }

  #takeIn(held: Held): void {
    for (const row of this.#connection.each(NEW_DOCUMENTS, held.newest)) {
      const doc = Number(row.doc);
      const firstSlot = held.slots.add(doc, row.id as string, Number(row.chunks));
      held.lexical.add((row.postings ?? EMPTY) as Uint8Array, firstSlot);
      held.vectors.add(decodeCodes((row.codes ?? EMPTY) as Uint8Array, this.#dimensions), firstSlot);
      held.newest = doc;
    }
    held.lexical.settle(Number(this.#connection.get('SELECT max(id) AS most FROM terms')?.most ?? 0));
  }
}

interface Held {
  readonly slots: ChunkSlots;
  readonly lexical: LexicalIndex;
  readonly vectors: VectorScan;
  live: Uint8Array;
  /** By filter, as JSON. */
  readonly masks: Map<string, Uint8Array>;
  newest: number;
  change: number;
  updates: number;
}

function emptyIndex(dimensions: number): Held {
  const slots = new ChunkSlots();
  const lexical = new LexicalIndex(slots);
  const vectors = new VectorScan(dimensions, slots);
  return { slots, lexical, vectors, live: new Uint8Array(0), masks: new Map(), newest: 0, change: 0, updates: 0 };
}

const isNarrow = (filter: SearchFilter | undefined): filter is SearchFilter =>
  filter !== undefined && (filter.documentIds !== undefined || Object.keys(filter.attributes ?? {}).length > 0);

function dot(query: Float32Array, bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const vector = new Float32Array(aligned.buffer, aligned.byteOffset, query.length);
  let sum = 0;
  for (let index = 0; index < query.length; index++) sum += (query[index] as number) * (vector[index] as number);
  return sum;
}

const EMPTY = new Uint8Array(0);

// How many more than asked for are compared by their whole vectors.
const SPARE = 20;

const STATE = `SELECT (SELECT max(doc) FROM documents) AS newest,
  (SELECT max(change) FROM removals) AS change, (SELECT min(change) FROM removals) AS oldest,
  (SELECT value FROM meta WHERE name = 'attribute_updates') AS updates`;

// Values are kept as JSON, whose numbers SQLite reads; a text begins with a quote and is none.
const WITHIN = `doc IN (SELECT doc FROM attributes WHERE name = ? AND value GLOB '[-0-9]*'
  AND CAST(value AS REAL) BETWEEN ? AND ?)`;

const MAX_MASKS = 16;

const NEW_DOCUMENTS = `SELECT doc, id, chunks, postings, codes FROM documents JOIN contents USING (doc)
  WHERE doc > ? ORDER BY doc`;
