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
      : `JOIN ${chunks} fc ON fc.number = f.chunk JOIN ${documents} d ON d.number = fc.document WHERE ${filter}`;
  return `
    WITH whole AS (SELECT sum(chunks)::float8 AS n, sum(length)::float8 / nullif(sum(chunks), 0)::float8 AS average FROM ${totals}),
    wanted AS (
      SELECT t.number AS term, sum(w.boost) AS boost FROM unnest(${names}::text[], ${boosts}::float8[]) AS w (term, boost)
      JOIN ${terms} t ON t.term = w.term COLLATE "C" GROUP BY t.number),
    found AS MATERIALIZED (
      SELECT p.term, p.chunk, p.occurrences, p.length FROM ${postings} p
      WHERE p.term = ANY(ARRAY(SELECT term FROM wanted))),
    weights AS (
      SELECT f.term, w.boost * ln(1 + (n - count(*) + 0.5) / (count(*) + 0.5)) AS weight
      FROM found f JOIN wanted w USING (term), whole GROUP BY f.term, w.boost, n),
    ranked AS (
      SELECT f.chunk, sum(weight * (f.occurrences * 2.2) / (f.occurrences + 1.2 * (0.25 + 0.75 * f.length / average))) AS score
      FROM found f JOIN weights USING (term) CROSS JOIN whole ${narrowed}
      GROUP BY f.chunk ORDER BY score DESC, f.chunk LIMIT ${k})
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
