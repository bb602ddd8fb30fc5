import type { SearchFilter, SearchIndexDefinition, SearchRequest } from '@atoll-mcp/core/storage';
import type { GraphType, SearchTables } from './search-tables.ts';
import type { Values } from './where.ts';

/** A condition on the document `d`, or nothing when every document will do. */
export function filterSql(filter: SearchFilter | undefined, values: Values): string | undefined {
  const parts: string[] = [];
  if (filter?.documentIds) parts.push(`d.id = ANY(${values.add(filter.documentIds)}::text[])`);
  for (const [name, allowed] of Object.entries(filter?.attributes ?? {})) {
    const wanted = [allowed].flat().map((value) => JSON.stringify(value));
    parts.push(
      `coalesce(d.attributes->${values.add(name)}::text, 'null'::jsonb) = ANY(${values.add(wanted)}::jsonb[])`,
    );
  }
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** BM25 with k1 1.2 and b 0.75; frequencies count the whole index, whatever the filter. */
export function lexicalSql(
  { documents, chunks, terms, postings, totals }: SearchTables,
  wanted: NonNullable<SearchRequest['terms']>,
  filter: string | undefined,
  k: number,
  values: Values,
): string {
  const names = values.add(wanted.map(({ term }) => term));
  const boosts = values.add(wanted.map(({ boost = 1 }) => boost));
  const narrowed =
    filter === undefined
      ? ''
      : `JOIN ${chunks} fc ON fc.number = p.chunk JOIN ${documents} d ON d.number = fc.document WHERE ${filter}`;
  // Bare decimals would be computed digit by digit, so the constants are floats once and for all.
  return `
    WITH whole AS MATERIALIZED (
      SELECT n, 1.2::float8 * 0.25 AS base, 1.2::float8 * 0.75 * n / nullif(total, 0) AS slope, 2.2::float8 AS most
      FROM (SELECT sum(chunks)::float8 AS n, sum(length)::float8 AS total FROM ${totals}) counted),
    wanted AS (
      SELECT t.number AS term, sum(w.boost) AS boost FROM unnest(${names}::text[], ${boosts}::float8[]) AS w (term, boost)
      JOIN ${terms} t ON t.term = w.term COLLATE "C" GROUP BY t.number),
    weights AS MATERIALIZED (
      SELECT w.term, w.boost * ln(1 + (n - holders + 0.5::float8) / (holders + 0.5::float8)) AS weight
      FROM whole, wanted w, LATERAL (SELECT count(*)::float8 AS holders FROM ${postings} p WHERE p.term = w.term) counted),
    ranked AS (
      SELECT p.chunk, sum(weight * most * p.occurrences / (p.occurrences + base + slope * p.length)) AS score
      FROM weights w JOIN ${postings} p ON p.term = w.term CROSS JOIN whole ${narrowed}
      GROUP BY p.chunk ORDER BY score DESC, p.chunk LIMIT ${k})
    SELECT d.id AS "documentId", c.chunk, r.score
    FROM ranked r JOIN ${chunks} c ON c.number = r.chunk JOIN ${documents} d ON d.number = c.document
    ORDER BY r.score DESC, c.number`;
}

/** How wide the graph is searched. Every connection begins with the width that most searches need. */
export const USUAL_WIDTH = 200;
export const widthFor = (k: number) => Math.min(1000, Math.max(USUAL_WIDTH, k * 4));

/** Candidates from the graph by halves, then their exact order; a filter is small enough to be looked at whole. */
export function vectorSql(
  { documents, chunks }: SearchTables,
  { dimensions, graph }: SearchIndexDefinition & { graph: GraphType },
  vector: Float32Array,
  filter: string | undefined,
  k: number,
  values: Values,
): string {
  const query = `${values.add(`[${vector.join(',')}]`)}::vector(${dimensions})`;
  const exact = `-(c.vector <#> ${query})`;
  if (filter !== undefined || graph === undefined) {
    return `SELECT d.id AS "documentId", c.chunk, ${exact} AS score
      FROM ${chunks} c JOIN ${documents} d ON d.number = c.document
      WHERE c.vector IS NOT NULL AND ${filter ?? 'true'} ORDER BY score DESC, c.number LIMIT ${k}`;
  }
  const candidates = Math.min(1000, Math.max(50, k * 3));
  return `WITH near AS MATERIALIZED (
      SELECT number FROM ${chunks} WHERE vector IS NOT NULL
      ORDER BY vector::${graph}(${dimensions}) <#> (${query})::${graph}(${dimensions}) LIMIT ${candidates})
    SELECT d.id AS "documentId", c.chunk, ${exact} AS score
    FROM near JOIN ${chunks} c USING (number) JOIN ${documents} d ON d.number = c.document
    ORDER BY score DESC, c.number LIMIT ${k}`;
}
