import {
  type ChunkRef,
  closedStore,
  type IndexedDocument,
  type SearchHit,
  type SearchIndex,
  type SearchIndexDefinition,
  type SearchIndexStats,
  type SearchRequest,
  type SearchResult,
} from '@atoll-mcp/core/storage';
import { checkDocument, checkRequest } from '@atoll-mcp/storage';
import type { Pool } from '../pool.ts';
import { Values } from '../where.ts';
import { readDocument } from './documents.ts';
import { Graphs } from './graphs.ts';
import { LexicalSearch } from './lexical.ts';
import { filterSql, USUAL_WIDTH, vectorSql, widthFor } from './sql.ts';
import { prepareSearch, type SearchTables, tablesOf, type VectorSupport } from './tables.ts';
import { SearchWriter } from './writer.ts';

const BATCH = 2_000;

/** Text by BM25 over lists of chunks, vectors through pgvector. */
export class PostgresSearch implements SearchIndex {
  readonly #pool: Pool;
  readonly #definition: SearchIndexDefinition;
  readonly #tables: SearchTables;
  readonly #graphs: Graphs;
  readonly #writer: SearchWriter;
  readonly #lexical: LexicalSearch;
  #prepared: Promise<VectorSupport> | undefined;
  #isClosed = false;

  constructor(pool: Pool, definition: SearchIndexDefinition) {
    this.#pool = pool;
    this.#definition = definition;
    this.#tables = tablesOf(definition.name);
    this.#graphs = new Graphs({ ...definition, pool, tables: this.#tables });
    this.#writer = new SearchWriter(pool, this.#tables, this.#graphs);
    this.#lexical = new LexicalSearch(pool, this.#tables);
  }

  async upsert(document: IndexedDocument): Promise<void> {
    checkDocument(this.#definition, document);
    await this.#writer.upsert(document, await this.#ready());
  }

  async updateAttributes(documentId: string, attributes: NonNullable<IndexedDocument['attributes']>): Promise<boolean> {
    await this.warm();
    const sql = `UPDATE ${this.#tables.documents} SET attributes = $2 WHERE id = $1`;
    const { rowCount } = await this.#pool.query(sql, [documentId, JSON.stringify(attributes)]);
    return (rowCount ?? 0) > 0;
  }

  async remove(documentId: string): Promise<boolean> {
    await this.warm();
    return this.#writer.remove(documentId);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    checkRequest(this.#definition, request);
    request.signal?.throwIfAborted();
    await this.warm();
    const [ranked, vector] = await Promise.all([this.#lexical.search(request), this.#vector(request)]);
    return { ...ranked, vector };
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
    await this.#ready();
  }

  /** Waits for graphs that are being built; writes and searches do not. */
  async settled(): Promise<void> {
    await this.#graphs.settled();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#writer.settled(), this.#graphs.close()]);
  }

  async #ready(): Promise<VectorSupport> {
    if (this.#isClosed) throw closedStore('search index');
    this.#prepared ??= this.#prepare().catch((error) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #prepare(): Promise<VectorSupport> {
    const support = await prepareSearch(this.#pool, this.#definition);
    await this.#graphs.begin(support.graph);
    return support;
  }

  async #vector({ vector, filter, k }: SearchRequest): Promise<SearchHit[]> {
    if (vector === undefined) return [];
    const values = new Values();
    const { dimensions } = this.#definition;
    const { graph } = await this.#ready();
    const condition = filterSql(filter, values);
    const graphs = condition === undefined ? await this.#graphs.list() : [];
    const sql = vectorSql(this.#tables, { dimensions, graph, graphs }, vector, condition, k, values);
    const width = widthFor(k);
    if (width === USUAL_WIDTH) {
      const ranges = graphs.map(({ upto }) => upto).join(' ');
      const name = condition === undefined ? `${this.#tables.chunks} near ${k} ${ranges}` : undefined;
      return (await this.#pool.query<SearchHit>(sql, values.all, name)).rows;
    }
    // Any other width is set for the transaction.
    return this.#pool.transaction(async (client) => {
      await client.query(`SET LOCAL hnsw.ef_search = ${width}`);
      return (await client.query<SearchHit>(sql, values.all)).rows;
    }, 'read committed');
  }
}
