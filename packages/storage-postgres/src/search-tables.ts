import { invalid, type SearchIndexDefinition } from '@atoll-mcp/core/storage';
import type { Pool, Queryable } from './pool.ts';

const LOCK = 7410_2028;

export interface SearchTables {
  readonly documents: string;
  readonly chunks: string;
  readonly terms: string;
  readonly postings: string;
  readonly totals: string;
}

/** What the graph is built of: half precision where the server has it; nothing where vectors are too long for any. */
export type GraphType = 'halfvec' | 'vector' | undefined;

export const tablesOf = (name: string): SearchTables => ({
  documents: `"search_${name}_documents"`,
  chunks: `"search_${name}_chunks"`,
  terms: `"search_${name}_terms"`,
  postings: `"search_${name}_postings"`,
  totals: `"search_${name}_totals"`,
});

/**
 * One row for each term of each chunk, with all that BM25 needs in the index itself, so that ranking reads no table.
 * How many chunks there are and how long, BM25 asks of every search: counted as they come and go, in a few slots so
 * that writers rarely wait for each other. Vectors are kept whole for the final order and by half for the graph that finds candidates.
 */
export async function prepareSearch(pool: Pool, { name, dimensions }: SearchIndexDefinition): Promise<GraphType> {
  const { documents, chunks, terms, postings, totals } = tablesOf(name);
  const hnsw = `"search_${name}_hnsw"`;
  return pool.aside(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const sql = `INSERT INTO atoll_indexes VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING dimensions`;
    const made = (await client.query<{ dimensions: number }>(sql, [name, dimensions])).rows[0]?.dimensions;
    if (made !== dimensions)
      throw invalid(`The index "${name}" holds vectors of ${made} dimensions, not ${dimensions}.`);
    await client.query('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
    await client.query(`
      CREATE TABLE IF NOT EXISTS ${documents} (
        id text COLLATE "C" PRIMARY KEY, number bigserial UNIQUE, attributes jsonb NOT NULL,
        chunks integer NOT NULL, length bigint NOT NULL);
      CREATE TABLE IF NOT EXISTS ${chunks} (
        number bigserial PRIMARY KEY, document bigint NOT NULL REFERENCES ${documents} (number) ON DELETE CASCADE,
        chunk integer NOT NULL, length integer NOT NULL, vector vector(${dimensions}), payload text,
        UNIQUE (document, chunk));
      CREATE TABLE IF NOT EXISTS ${terms} (number serial PRIMARY KEY, term text COLLATE "C" NOT NULL UNIQUE);
      CREATE TABLE IF NOT EXISTS ${postings} (
        term integer NOT NULL, chunk bigint NOT NULL REFERENCES ${chunks} (number) ON DELETE CASCADE,
        occurrences smallint NOT NULL, length integer NOT NULL);
      CREATE TABLE IF NOT EXISTS ${totals} (slot integer PRIMARY KEY, chunks bigint NOT NULL, length bigint NOT NULL);
      CREATE INDEX IF NOT EXISTS "search_${name}_by_term" ON ${postings} (term, chunk) INCLUDE (occurrences, length);
      CREATE INDEX IF NOT EXISTS "search_${name}_by_chunk" ON ${postings} (chunk);`);
    const graph = await graphType(client, dimensions);
    if (graph) {
      await client.query(
        `CREATE INDEX IF NOT EXISTS ${hnsw} ON ${chunks}
         USING hnsw ((vector::${graph}(${dimensions})) ${graph}_ip_ops) WITH (m = 16, ef_construction = 100)`,
      );
    }
    return graph;
  });
}

async function graphType(client: Queryable, dimensions: number): Promise<GraphType> {
  const { rows } = await client.query<{ has: boolean }>("SELECT to_regtype('halfvec') IS NOT NULL AS has");
  if (rows[0]?.has && dimensions <= 4000) return 'halfvec';
  return dimensions <= 2000 ? 'vector' : undefined;
}
