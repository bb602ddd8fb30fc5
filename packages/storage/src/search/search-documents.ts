import type { FieldValue, IndexedChunk, IndexedDocument, SearchIndexDefinition } from '@atoll-mcp/core/storage';
import type { SqliteConnection } from '../drivers/sqlite/sqlite-connection.ts';
import { occurrences } from './occurrences.ts';
import { type ChunkTerms, decodePostings } from './postings.ts';
import { chunkKey } from './search-file.ts';

const MAX_REMEMBERED_TERMS = 200_000;

/** Reads documents back out of a search file, as they were put into it. */
export class DocumentReader {
  readonly #connection: SqliteConnection;
  readonly #dimensions: number;
  readonly #terms = new Map<number, string>();

  constructor(connection: SqliteConnection, { dimensions }: SearchIndexDefinition) {
    this.#connection = connection;
    this.#dimensions = dimensions;
  }

  /** The id that follows. */
  next(id: string): string | undefined {
    const row = this.#connection.get('SELECT id FROM documents WHERE id > ? ORDER BY id LIMIT 1', id);
    return row?.id as string | undefined;
  }

  /** Nothing when it was removed meanwhile. */
  read(id: string): IndexedDocument | undefined {
    return this.#connection.snapshot(() => {
      const sql = 'SELECT doc, postings FROM documents JOIN contents USING (doc) WHERE id = ?';
      const row = this.#connection.get(sql, id);
      if (row === undefined) return undefined;
      const doc = Number(row.doc);
      const chunks = decodePostings((row.postings as Uint8Array | null) ?? new Uint8Array());
      return { id, attributes: this.#attributes(doc), chunks: this.#chunks(doc, chunks) };
    });
  }

  #attributes(doc: number): Record<string, FieldValue> {
    const rows = this.#connection.all('SELECT name, value FROM attributes WHERE doc = ? ORDER BY name', doc);
    return Object.fromEntries(rows.map(({ name, value }) => [name as string, JSON.parse(value as string)]));
  }

  #chunks(doc: number, terms: readonly ChunkTerms[]): IndexedChunk[] {
    const [vectors, payloads] = ['vectors', 'payloads'].map((table) => {
      const sql = `SELECT key, value FROM ${table} WHERE key >= ? AND key < ?`;
      const rows = this.#connection.all(sql, chunkKey(doc, 0), chunkKey(doc + 1, 0));
      return new Map(rows.map(({ key, value }) => [Number(key), value]));
    });
    return terms.map(({ length, counts }, index) => {
      const vector = vectors?.get(chunkKey(doc, index)) as Uint8Array | undefined;
      const payload = payloads?.get(chunkKey(doc, index)) as string | undefined;
      const named = counts.map(([number, count]) => [this.#term(number), count] as const);
      return {
        terms: occurrences(named, length),
        // Copied, because floats begin at a multiple of four bytes and rows do not.
        ...(vector && { vector: new Float32Array(vector.slice().buffer, 0, this.#dimensions) }),
        ...(payload !== undefined && { payload: JSON.parse(payload) }),
      };
    });
  }

  #term(number: number): string {
    const known = this.#terms.get(number);
    if (known !== undefined) return known;
    const term = this.#connection.get('SELECT term FROM terms WHERE id = ?', number)?.term as string;
    if (this.#terms.size >= MAX_REMEMBERED_TERMS) this.#terms.clear();
    this.#terms.set(number, term);
    return term;
  }
}
