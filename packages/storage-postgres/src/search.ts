import {
  type ChunkRef,
  checkDocument,
  checkRequest,
  closedStore,
  type IndexedDocument,
  type SearchHit,
  type SearchIndex,
  type SearchIndexDefinition,
  type SearchIndexStats,
  type SearchRequest,
  type SearchResult,
} from '@atoll-mcp/core/storage';
import type { Pool, Queryable } from './pool.ts';
import { readDocument, written } from './search-documents.ts';
import { filterSql, lexicalSql, USUAL_WIDTH, vectorSql, widthFor } from './search-sql.ts';
import { type GraphType, prepareSearch, type SearchTables, tablesOf } from './search-tables.ts';
import { Values } from './where.ts';

/** More of the same word tells nothing more, as in every driver. */
const MOST_OCCURRENCES = 255;
const BATCH = 2_000;
const SLOTS = 16;

interface Size {
  readonly chunks: number;
  readonly length: number;
}

const sizeOf = ({ chunks }: IndexedDocument): Size => ({
  chunks: chunks.length,
  length: chunks.reduce((sum, { terms }) => sum + terms.length, 0),
});

/** BM25 computed in SQL over one row per term and chunk; vectors through pgvector. */
export class PostgresSearch implements SearchIndex {
  readonly #pool: Pool;
  readonly #definition: SearchIndexDefinition;
  readonly #tables: SearchTables;
  #prepared: Promise<GraphType> | undefined;
  #isClosed = false;

  constructor(pool: Pool, definition: SearchIndexDefinition) {
    this.#pool = pool;
    this.#definition = definition;
    this.#tables = tablesOf(definition.name);
  }

  async upsert(document: IndexedDocument): Promise<void> {
    checkDocument(this.#definition, document);
    await this.warm();
    await this.#pool.transaction(async (client) => {
      const { documents } = this.#tables;
      // Two writers of one document take turns.
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [`${documents}\n${document.id}`]);
      const former = await this.#delete(client, document.id);
      const size = sizeOf(document);
      const { rows } = await client.query<{ number: number }>(
        `INSERT INTO ${documents} (id, attributes, chunks, length) VALUES ($1, $2, $3, $4) RETURNING number`,
        [document.id, JSON.stringify(document.attributes ?? {}), size.chunks, size.length],
      );
      await this.#insertChunks(client, rows[0]!.number, document);
      await this.#count(client, {
        chunks: size.chunks - (former?.chunks ?? 0),
        length: size.length - (former?.length ?? 0),
      });
    }, 'read committed');
  }

  async remove(documentId: string): Promise<boolean> {
    await this.warm();
    return this.#pool.transaction(async (client) => {
      const former = await this.#delete(client, documentId);
      if (former) await this.#count(client, { chunks: -former.chunks, length: -former.length });
      return former !== undefined;
    }, 'read committed');
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    checkRequest(this.#definition, request);
    request.signal?.throwIfAborted();
    await this.warm();
    const [lexical, vector] = await Promise.all([this.#lexical(request), this.#vector(request)]);
    return { lexical, vector };
  }

  async payloads(chunks: readonly ChunkRef[]): Promise<unknown[]> {
    await this.warm();
    const { documents, chunks: table } = this.#tables;
    const { rows } = await this.#pool.query<{ id: string; chunk: number; payload: string | null }>(
      `SELECT d.id, c.chunk, c.payload FROM unnest($1::text[], $2::int[]) AS w (id, chunk)
       JOIN ${documents} d USING (id) JOIN ${table} c ON c.document = d.number AND c.chunk = w.chunk`,
      [chunks.map(({ documentId }) => documentId), chunks.map(({ chunk }) => chunk)],
    );
    const found = new Map(rows.map(({ id, chunk, payload }) => [`${id}\n${chunk}`, payload]));
    return chunks.map(({ documentId, chunk }) => {
      const payload = found.get(`${documentId}\n${chunk}`);
      return payload === undefined || payload === null ? undefined : JSON.parse(payload);
    });
  }

  async stats(): Promise<SearchIndexStats> {
    await this.warm();
    const { documents, chunks } = this.#tables;
    const { rows } = await this.#pool.query<{ documents: number; chunks: number; vectors: number }>(
      `SELECT (SELECT count(*) FROM ${documents}) AS documents, count(*) AS chunks, count(vector) AS vectors FROM ${chunks}`,
    );
    return rows[0]!;
  }

  async *documents(): AsyncIterable<IndexedDocument> {
    await this.warm();
    const sql = `SELECT id FROM ${this.#tables.documents} WHERE id > $1 ORDER BY id LIMIT ${BATCH}`;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { rows }: { rows: { id: string }[] } = await this.#pool.query<{ id: string }>(sql, [after]);
      for (const { id } of rows) {
        const document = await readDocument(this.#pool, this.#tables, id);
        if (document) yield document;
      }
      after = rows.at(-1)?.id;
    }
  }

  async warm(): Promise<void> {
    if (this.#isClosed) throw closedStore('search index');
    this.#prepared ??= prepareSearch(this.#pool, this.#definition).catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    await this.#prepared;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #lexical({ terms = [], filter, k }: SearchRequest): Promise<SearchHit[]> {
    if (terms.length === 0) return [];
    const values = new Values();
    const sql = lexicalSql(
      this.#tables,
      terms.map(({ term, boost = 1 }) => ({ term: written(term), boost })),
      filterSql(filter, values),
      k,
      values,
    );
    const { rows } = await this.#pool.query<SearchHit>(sql, values.all);
    return rows;
  }

  async #vector({ vector, filter, k }: SearchRequest): Promise<SearchHit[]> {
    if (vector === undefined) return [];
    const values = new Values();
    const sql = vectorSql(
      this.#tables,
      { ...this.#definition, graph: await this.#prepared },
      vector,
      filterSql(filter, values),
      k,
      values,
    );
    const width = widthFor(k);
    if (width === USUAL_WIDTH) return (await this.#pool.query<SearchHit>(sql, values.all)).rows;
    // Any other width is a setting of the transaction it is searched in.
    return this.#pool.transaction(async (client) => {
      await client.query(`SET LOCAL hnsw.ef_search = ${width}`);
      return (await client.query<SearchHit>(sql, values.all)).rows;
    }, 'read committed');
  }

  async #delete(client: Queryable, id: string): Promise<Size | undefined> {
    const sql = `DELETE FROM ${this.#tables.documents} WHERE id = $1 RETURNING chunks, length`;
    return (await client.query<Size>(sql, [id])).rows[0];
  }

  /** The last thing in a transaction, so that others wait for the slot no longer than a commit takes. */
  async #count(client: Queryable, { chunks, length }: Size): Promise<void> {
    await client.query(
      `INSERT INTO ${this.#tables.totals} AS t VALUES ($1, $2, $3)
       ON CONFLICT (slot) DO UPDATE SET chunks = t.chunks + excluded.chunks, length = t.length + excluded.length`,
      [Math.floor(Math.random() * SLOTS), chunks, length],
    );
  }

  async #insertChunks(client: Queryable, document: number, { chunks }: IndexedDocument): Promise<void> {
    for (let from = 0; from < chunks.length; from += BATCH) {
      const batch = chunks.slice(from, from + BATCH);
      const { rows } = await client.query<{ number: number; chunk: number }>(
        `INSERT INTO ${this.#tables.chunks} (document, chunk, length, vector, payload)
         SELECT $1, e.chunk, e.length, e.vector::vector, e.payload
         FROM unnest($2::int[], $3::int[], $4::text[], $5::text[]) AS e (chunk, length, vector, payload)
         RETURNING number, chunk`,
        [
          document,
          batch.map((_, index) => from + index),
          batch.map(({ terms }) => terms.length),
          batch.map(({ vector }) => (vector ? `[${vector.join(',')}]` : null)),
          batch.map(({ payload }) => (payload === undefined ? null : JSON.stringify(payload))),
        ],
      );
      const numbers = new Map(rows.map(({ chunk, number }) => [chunk, number]));
      await this.#insertPostings(
        client,
        batch.map(({ terms }, index) => ({ number: numbers.get(from + index)!, terms })),
      );
    }
  }

  async #insertPostings(
    client: Queryable,
    chunks: readonly { number: number; terms: readonly string[] }[],
  ): Promise<void> {
    const rows = chunks.flatMap(({ number, terms }) => {
      const counts = new Map<string, number>();
      for (const term of terms.map(written)) counts.set(term, (counts.get(term) ?? 0) + 1);
      return [...counts].map(([term, count]) => ({
        term,
        number,
        count: Math.min(count, MOST_OCCURRENCES),
        length: terms.length,
      }));
    });
    // In one order everywhere, so that two writers never wait for each other in a ring.
    const words = [...new Set(rows.map(({ term }) => term))].sort();
    await client.query(`INSERT INTO ${this.#tables.terms} (term) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [
      words,
    ]);
    await client.query(
      `INSERT INTO ${this.#tables.postings} SELECT t.number, e.chunk, e.count, e.length
       FROM unnest($1::text[], $2::bigint[], $3::smallint[], $4::int[]) AS e (term, chunk, count, length)
       JOIN ${this.#tables.terms} t ON t.term = e.term COLLATE "C"`,
      [
        rows.map(({ term }) => term),
        rows.map(({ number }) => number),
        rows.map(({ count }) => count),
        rows.map(({ length }) => length),
      ],
    );
  }
}
