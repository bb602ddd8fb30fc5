import type { IndexedDocument, SearchIndexDefinition } from '@atoll-mcp/core/storage';
import { invalid } from '@atoll-mcp/core/storage';
import type { SqliteConnection } from '../drivers/sqlite/sqlite-connection.ts';
import { type ChunkTerms, encodePostings } from './postings.ts';
import { encodeCodes } from './quantized-vectors.ts';
import { chunkKey, MAX_CHUNKS } from './search-file.ts';

const MAX_REMEMBERED_TERMS = 200_000;
const KEPT_REMOVALS = 100_000;

/** Readers keep which documents a filter wants until this number rises. */
const COUNT_UPDATE = `INSERT INTO meta VALUES ('attribute_updates', '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`;

export interface AttributeUpdate {
  readonly documentId: string;
  readonly attributes: NonNullable<IndexedDocument['attributes']>;
}

/** Writes documents, inside transactions of its caller; runs in a thread of its own, because a large one takes a while. */
export class SearchWriter {
  readonly #connection: SqliteConnection;
  readonly #dimensions: number;
  #terms = new Map<string, number>();

  constructor(connection: SqliteConnection, { dimensions }: SearchIndexDefinition) {
    this.#connection = connection;
    this.#dimensions = dimensions;
  }

  upsert(document: IndexedDocument): void {
    const { id, chunks, attributes = {} } = document;
    if (chunks.length > MAX_CHUNKS) throw invalid(`A document can have ${MAX_CHUNKS} chunks; "${id}" has more.`);
    const vectors = chunks.map(({ vector }) => vector);
    const codes = encodeCodes(this.#dimensions, vectors);
    this.remove(id);
    const doc = this.#connection.insert(
      'INSERT INTO documents (id, chunks, vectors) VALUES (?, ?, ?)',
      id,
      chunks.length,
      vectors.filter((vector) => vector !== undefined).length,
    );
    const postings = encodePostings(this.#countAll(chunks));
    this.#connection.run('INSERT INTO contents VALUES (?, ?, ?)', doc, postings, codes);
    this.#insertAttributes(doc, attributes);
    for (const [index, chunk] of chunks.entries()) this.#insertChunk(chunkKey(doc, index), chunk);
  }

  /** Term numbers of a transaction that was undone may be given to other terms. */
  forgetTerms(): void {
    this.#terms.clear();
  }

  updateAttributes({ documentId, attributes }: AttributeUpdate): boolean {
    const row = this.#connection.get('SELECT doc FROM documents WHERE id = ?', documentId);
    if (row === undefined) return false;
    this.#connection.run('DELETE FROM attributes WHERE doc = ?', Number(row.doc));
    this.#insertAttributes(Number(row.doc), attributes);
    this.#connection.run(COUNT_UPDATE);
    return true;
  }

  remove(id: string): boolean {
    const row = this.#connection.get('SELECT doc FROM documents WHERE id = ?', id);
    if (row === undefined) return false;
    const doc = Number(row.doc);
    for (const table of ['documents', 'contents', 'attributes'])
      this.#connection.run(`DELETE FROM ${table} WHERE doc = ?`, doc);
    for (const table of ['vectors', 'payloads']) {
      this.#connection.run(`DELETE FROM ${table} WHERE key >= ? AND key < ?`, chunkKey(doc, 0), chunkKey(doc + 1, 0));
    }
    const change = this.#connection.insert('INSERT INTO removals (doc) VALUES (?)', doc);
    // Readers that fell further behind than this read everything again.
    this.#connection.run('DELETE FROM removals WHERE change <= ?', change - KEPT_REMOVALS);
    return true;
  }

  #insertAttributes(doc: number, attributes: AttributeUpdate['attributes']): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null)
        this.#connection.run('INSERT INTO attributes VALUES (?, ?, ?)', name, JSON.stringify(value), doc);
    }
  }

  #insertChunk(key: number, { vector, payload }: IndexedDocument['chunks'][number]): void {
    if (vector !== undefined) {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      this.#connection.run('INSERT INTO vectors VALUES (?, ?)', key, bytes);
    }
    if (payload !== undefined) this.#connection.run('INSERT INTO payloads VALUES (?, ?)', key, JSON.stringify(payload));
  }

  *#countAll(chunks: IndexedDocument['chunks']): Iterable<ChunkTerms> {
    for (const { terms } of chunks) yield this.#count(terms);
  }

  #count(terms: readonly string[]): ChunkTerms {
    const counts = new Map<number, number>();
    for (const term of terms) {
      const number = this.#number(term);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return { length: terms.length, counts: [...counts].sort(([a], [b]) => a - b) };
  }

  #number(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const stored = this.#connection.get('SELECT id FROM terms WHERE term = ?', term);
    const number =
      stored === undefined ? this.#connection.insert('INSERT INTO terms (term) VALUES (?)', term) : Number(stored.id);
    if (this.#terms.size >= MAX_REMEMBERED_TERMS) this.#terms.clear();
    this.#terms.set(term, number);
    return number;
  }
}
