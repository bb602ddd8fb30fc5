import type { IndexedDocument } from '@atoll-mcp/core/storage';
import { encodePostings, MAX_OCCURRENCES } from '@atoll-mcp/storage/search';
import type { Pool, Queryable } from '../pool.ts';
import { written } from './documents.ts';
import type { Graphs } from './graphs.ts';
import { type Look, placesOf, Segments } from './segments.ts';
import type { SearchTables, VectorSupport } from './tables.ts';
import { vectorArray } from './vector-array.ts';

const BATCH = 2_000;
const SLOTS = 16;
const MAX_REMEMBERED_TERMS = 200_000;

interface Former {
  readonly number: number;
  readonly chunks: number;
  readonly length: number;
  readonly segment: number | null;
}

interface Changed extends Look {
  readonly pending: number;
}

/** Writes documents atomically. */
export class SearchWriter {
  readonly #pool: Pool;
  readonly #tables: SearchTables;
  readonly #segments: Segments;
  readonly #graphs: Graphs;
  /** Cached ids of terms; they never change. */
  readonly #numbers = new Map<string, number>();

  constructor(pool: Pool, tables: SearchTables, graphs: Graphs) {
    this.#pool = pool;
    this.#tables = tables;
    this.#segments = new Segments(pool, tables);
    this.#graphs = graphs;
  }

  async upsert({ id, attributes = {}, chunks }: IndexedDocument, { oid, graph }: VectorSupport): Promise<void> {
    const { documents } = this.#tables;
    const postings = await this.#postings(chunks);
    const length = chunks.reduce((sum, { terms }) => sum + terms.length, 0);
    const changed = await this.#pool.transaction(async (client) => {
      // Serializes writers of the same document.
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [`${documents}\n${id}`]);
      const former = await this.#delete(client, id);
      const { rows } = await client.query<{ number: number }>(
        `INSERT INTO ${documents} (id, attributes, chunks, length, postings) VALUES ($1, $2, $3, $4, $5) RETURNING number`,
        [id, JSON.stringify(attributes), chunks.length, length, postings],
      );
      await this.#insertChunks(client, rows[0]!.number, chunks, oid);
      return this.#count(client, {
        chunks: chunks.length - (former?.chunks ?? 0),
        length: length - (former?.length ?? 0),
        segment: former?.segment ?? null,
      });
    }, 'read committed');
    this.#segments.changed(changed);
    this.#graphs.changed(changed.pending, graph);
  }

  async remove(id: string): Promise<boolean> {
    const changed = await this.#pool.transaction(async (client) => {
      const former = await this.#delete(client, id);
      if (!former) return undefined;
      return this.#count(client, { chunks: -former.chunks, length: -former.length, segment: former.segment });
    }, 'read committed');
    if (changed) this.#segments.changed(changed);
    return changed !== undefined;
  }

  /** Waits for background work. */
  async settled(): Promise<void> {
    await this.#segments.settled();
  }

  async #delete(client: Queryable, id: string): Promise<Former | undefined> {
    const { documents, removed } = this.#tables;
    const sql = `DELETE FROM ${documents} WHERE id = $1 RETURNING number, chunks, length, segment`;
    const former = (await client.query<Former>(sql, [id])).rows[0];
    if (former && former.segment !== null) {
      const { number, segment, chunks } = former;
      await client.query(`INSERT INTO ${removed} VALUES ($1, $2, $3)`, [segment, number, placesOf(chunks)]);
    }
    return former;
  }

  /** Done last in a transaction, so that others wait for the slot only as long as the commit takes. */
  async #count(client: Queryable, { chunks, length, segment }: Omit<Former, 'number'>): Promise<Changed> {
    const { rows } = await client.query<Changed>(
      `WITH counted AS (
         INSERT INTO ${this.#tables.totals} AS t VALUES ($1, $2, $3)
         ON CONFLICT (slot) DO UPDATE SET chunks = t.chunks + excluded.chunks, length = t.length + excluded.length)
       SELECT look.*, ${this.#graphs.pendingSql} AS pending FROM (${this.#segments.lookSql('$4')}) AS look`,
      [Math.floor(Math.random() * SLOTS), chunks, length, segment],
    );
    return rows[0]!;
  }

  async #insertChunks(
    client: Queryable,
    document: number,
    chunks: IndexedDocument['chunks'],
    oid: number,
  ): Promise<void> {
    for (let from = 0; from < chunks.length; from += BATCH) {
      const batch = chunks.slice(from, from + BATCH);
      await client.query(
        `INSERT INTO ${this.#tables.chunks} (document, chunk, vector, payload)
         SELECT $1, e.chunk, e.vector, e.payload
         FROM unnest($2::int[], $3::vector[], $4::text[]) AS e (chunk, vector, payload)`,
        [
          document,
          batch.map((_, index) => from + index),
          vectorArray(
            batch.map(({ vector }) => vector),
            oid,
          ),
          batch.map(({ payload }) => (payload === undefined ? null : JSON.stringify(payload))),
        ],
      );
    }
  }

  async #postings(chunks: IndexedDocument['chunks']): Promise<Buffer> {
    const counted = chunks.map(({ terms }) => {
      const counts = new Map<string, number>();
      for (const term of terms.map(written)) counts.set(term, (counts.get(term) ?? 0) + 1);
      return { length: terms.length, counts };
    });
    const numbers = await this.#number(new Set(counted.flatMap(({ counts }) => [...counts.keys()])));
    const encoded = encodePostings(
      counted.map(({ length, counts }) => ({
        length,
        counts: [...counts]
          .map(([term, count]) => [numbers.get(term)!, Math.min(count, MAX_OCCURRENCES)] as const)
          .sort(([a], [b]) => a - b),
      })),
    );
    return Buffer.from(encoded);
  }

  /** Ids for all terms. New terms are committed immediately, even if the document is not. */
  async #number(terms: ReadonlySet<string>): Promise<Map<string, number>> {
    const known = new Map([...terms].map((term) => [term, this.#numbers.get(term)]));
    // Always in the same order, so that two writers cannot deadlock.
    const unknown = [...known].flatMap(([term, number]) => (number === undefined ? [term] : [])).sort();
    if (unknown.length > 0) {
      if (this.#numbers.size + unknown.length > MAX_REMEMBERED_TERMS) this.#numbers.clear();
      const table = this.#tables.terms;
      await this.#pool.query(
        `INSERT INTO ${table} (term) SELECT w.term FROM unnest($1::text[]) WITH ORDINALITY AS w (term, place)
         WHERE NOT EXISTS (SELECT FROM ${table} t WHERE t.term = w.term COLLATE "C") ORDER BY place ON CONFLICT DO NOTHING`,
        [unknown],
      );
      const sql = `SELECT term, number FROM ${table} WHERE term = ANY($1::text[])`;
      for (const { term, number } of (await this.#pool.query<{ term: string; number: number }>(sql, [unknown])).rows) {
        known.set(term, number);
        this.#numbers.set(term, number);
      }
    }
    return known as Map<string, number>;
  }
}
