import { invalid, type SearchIndexDefinition, StorageError } from '@atoll-mcp/core/storage';
import type { Pool, Queryable } from '../pool.ts';
import { upgradeRows } from './upgrade.ts';

const LOCK = 7410_2028;

/** Version of the table layout; raised together with a migration. */
const LAYOUT = 3;

export interface SearchTables {
  readonly documents: string;
  readonly chunks: string;
  readonly terms: string;
  readonly segments: string;
  readonly lists: string;
  readonly removed: string;
  readonly totals: string;
  readonly graphs: string;
}

/** What the server offers for vectors. */
export interface VectorSupport {
  readonly oid: number;
  readonly graph: GraphType;
}

/** Element type of graphs: half precision if the server supports it; undefined if vectors are too long for an index. */
export type GraphType = 'halfvec' | 'vector' | undefined;

export const tablesOf = (name: string): SearchTables => ({
  documents: `"search_${name}_documents"`,
  chunks: `"search_${name}_chunks"`,
  terms: `"search_${name}_terms"`,
  segments: `"search_${name}_segments"`,
  lists: `"search_${name}_lists"`,
  removed: `"search_${name}_removed"`,
  totals: `"search_${name}_totals"`,
  graphs: `"search_${name}_graphs"`,
});

/** Creates the tables of an index, or migrates them to this version's layout. */
export async function prepareSearch(pool: Pool, { name, dimensions }: SearchIndexDefinition): Promise<VectorSupport> {
  const tables = tablesOf(name);
  return pool.aside(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const sql = 'SELECT dimensions, layout FROM atoll_indexes WHERE name = $1';
    const made = (await client.query<{ dimensions: number; layout: number }>(sql, [name])).rows[0];
    if (made && made.dimensions !== dimensions)
      throw invalid(`The index "${name}" holds vectors of ${made.dimensions} dimensions, not ${dimensions}.`);
    if (made && made.layout > LAYOUT)
      throw invalid(`The index "${name}" was written by a newer version of this program. Upgrade to use it.`);
    await needVectors(client);
    if (made && made.layout < 2) await upgradeRows(client, tables, `"search_${name}_postings"`);
    await create(client, tables, { name, dimensions });
    if (!made || made.layout < LAYOUT) await prepareVectors(client, tables, name);
    await client.query(
      'INSERT INTO atoll_indexes VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET layout = excluded.layout',
      [name, dimensions, LAYOUT],
    );
    return vectorSupport(client, dimensions);
  });
}

/**
 * A document's terms are kept with it, as bytes. Documents that came lately are searched from there; when they are
 * enough, they become a segment: for each term one row that says which of the segment's chunks have it. A segment never
 * changes; documents that are removed from one are listed until it is worth dissolving.
 * How many chunks there are and how long, BM25 asks of every search: counted as they come and go, in a few slots so
 * that writers rarely wait for each other.
 */
async function create(client: Queryable, tables: SearchTables, { name, dimensions }: SearchIndexDefinition) {
  const { documents, chunks, terms, segments, lists, removed, totals, graphs } = tables;
  await client.query(`
    CREATE TABLE IF NOT EXISTS ${documents} (
      id text COLLATE "C" PRIMARY KEY, number bigserial UNIQUE, attributes jsonb NOT NULL,
      chunks integer NOT NULL, length bigint NOT NULL, postings bytea NOT NULL, segment bigint);
    CREATE INDEX IF NOT EXISTS "search_${name}_by_segment" ON ${documents} (segment, number) INCLUDE (chunks);
    CREATE TABLE IF NOT EXISTS ${chunks} (
      number bigserial PRIMARY KEY, document bigint NOT NULL REFERENCES ${documents} (number) ON DELETE CASCADE,
      chunk integer NOT NULL, vector vector(${dimensions}), payload text, UNIQUE (document, chunk));
    CREATE TABLE IF NOT EXISTS ${terms} (number serial PRIMARY KEY, term text COLLATE "C" NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS ${segments} (number bigserial PRIMARY KEY, places integer NOT NULL, directory text NOT NULL);
    CREATE TABLE IF NOT EXISTS ${lists} (
      term integer NOT NULL, segment bigint NOT NULL, holders integer NOT NULL, bytes bytea NOT NULL,
      PRIMARY KEY (term, segment)) WITH (toast_tuple_target = 8160);
    CREATE INDEX IF NOT EXISTS "search_${name}_lists_of" ON ${lists} (segment);
    ALTER TABLE ${documents} ALTER COLUMN postings SET STORAGE EXTERNAL;
    ALTER TABLE ${lists} ALTER COLUMN bytes SET STORAGE EXTERNAL;
    CREATE TABLE IF NOT EXISTS ${removed} (
      segment bigint NOT NULL, document bigint NOT NULL, places integer NOT NULL, PRIMARY KEY (segment, document));
    CREATE TABLE IF NOT EXISTS ${totals} (slot integer PRIMARY KEY, chunks bigint NOT NULL, length bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS ${graphs} (upto bigint PRIMARY KEY, after bigint NOT NULL);`);
}

/**
 * Vectors stay in their row, where comparing them one by one finds them. The second layout had one graph of all of them.
 * Only done once: it waits for builds of graphs.
 */
async function prepareVectors(client: Queryable, { chunks }: SearchTables, name: string): Promise<void> {
  await client.query(`ALTER TABLE ${chunks} ALTER COLUMN vector SET STORAGE MAIN;
    DROP INDEX IF EXISTS "search_${name}_hnsw"`);
}

/** Vectors are stored in full precision for the final order, and in half precision for the graphs that find candidates. */
async function vectorSupport(client: Queryable, dimensions: number): Promise<VectorSupport> {
  const sql = "SELECT 'vector'::regtype::oid AS oid, to_regtype('halfvec') IS NOT NULL AS halves";
  const { oid, halves } = (await client.query<{ oid: number; halves: boolean }>(sql)).rows[0]!;
  if (halves && dimensions <= 4000) return { oid, graph: 'halfvec' };
  return { oid, graph: dimensions <= 2000 ? 'vector' : undefined };
}

async function needVectors(client: Queryable): Promise<void> {
  const sql = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS made,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS available`;
  const { made, available } = (await client.query<{ made: boolean; available: boolean }>(sql)).rows[0]!;
  if (made) return;
  if (!available)
    throw new StorageError(
      'unavailable',
      'The database server has no pgvector, which searching needs. Install it there (0.5 or later).',
    );
  await client.query('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
}
