import type { SearchFilter } from '@atoll-mcp/core/storage';
import { allowedValues, isRange } from '@atoll-mcp/storage/search';
import type { Values } from '../where.ts';
import { type Graph, rangeSql } from './graphs.ts';
import type { GraphType, SearchTables } from './tables.ts';

/** A condition on the document `d`; empty if there is no filter. */
export function filterSql(filter: SearchFilter | undefined, values: Values): string | undefined {
  const parts: string[] = [];
  if (filter?.documentIds) parts.push(`d.id = ANY(${values.add(filter.documentIds)}::text[])`);
  for (const [name, allowed] of Object.entries(filter?.attributes ?? {})) {
    if (isRange(allowed)) {
      const { atLeast = -Number.MAX_VALUE, atMost = Number.MAX_VALUE } = allowed;
      const value = `d.attributes->${values.add(name)}::text`;
      parts.push(
        `CASE jsonb_typeof(${value}) WHEN 'number' THEN (${value})::float8 BETWEEN ${values.add(atLeast)} AND ${values.add(atMost)} ELSE false END`,
      );
      continue;
    }
    const wanted = allowedValues(allowed).map((value) => JSON.stringify(value));
    parts.push(
      `coalesce(d.attributes->${values.add(name)}::text, 'null'::jsonb) = ANY(${values.add(wanted)}::jsonb[])`,
    );
  }
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** Search width of a graph (ef_search). Every connection starts with the width that most searches need. */
export const USUAL_WIDTH = 200;
export const widthFor = (k: number) => Math.min(1000, Math.max(USUAL_WIDTH, k * 4));

/** Oversampling before exact reranking, because half precision may confuse neighbours. */
const SPARE = 30;

/**
 * Candidates from each graph, and the newest chunks one by one, then exact reranking; a filtered set is small enough for
 * a full scan.
 */
export function vectorSql(
  { documents, chunks }: SearchTables,
  { dimensions, graph, graphs }: { dimensions: number; graph: GraphType; graphs: readonly Graph[] },
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
  const candidates = Math.min(1000, k + SPARE);
  const half = `${graph}(${dimensions})`;
  const ranges = [
    ...graphs.map((range) => ({ where: rangeSql(range), order: `vector::${half} <#> (${query})::${half}` })),
    { where: `number > ${graphs.at(-1)?.upto ?? 0}`, order: `vector <#> ${query}` },
  ].map(
    ({ where, order }) =>
      `(SELECT number FROM ${chunks} WHERE vector IS NOT NULL AND ${where} ORDER BY ${order} LIMIT ${candidates})`,
  );
  return `WITH near AS MATERIALIZED (${ranges.join(' UNION ALL ')})
    SELECT d.id AS "documentId", c.chunk, ${exact} AS score
    FROM near JOIN ${chunks} c USING (number) JOIN ${documents} d ON d.number = c.document
    ORDER BY score DESC, c.number LIMIT ${k}`;
}
