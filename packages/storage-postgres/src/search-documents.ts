import { type IndexedDocument, occurrences } from '@atoll-mcp/core/storage';
import type { Pool } from './pool.ts';
import type { SearchTables } from './search-tables.ts';

const ESCAPE = '\u0001';
const NUL = `${ESCAPE}\u0002`;

/** A term as it stands in its table: the server takes no NUL in text, and terms may hold anything. */
export const written = (term: string) => term.replaceAll(ESCAPE, ESCAPE + ESCAPE).replaceAll('\u0000', NUL);

const unwritten = (term: string) =>
  term
    .split(ESCAPE + ESCAPE)
    .map((part) => part.replaceAll(NUL, '\u0000'))
    .join(ESCAPE);

interface Row {
  readonly attributes: NonNullable<IndexedDocument['attributes']>;
  /** Null for a document that has no chunks. */
  readonly length: number | null;
  readonly vector: string | null;
  readonly payload: string | null;
  readonly terms: [term: string, count: number][];
}

/** A document as it was put, in one statement; nothing when it was removed meanwhile. */
export async function readDocument(
  pool: Pool,
  { documents, chunks, terms, postings }: SearchTables,
  id: string,
): Promise<IndexedDocument | undefined> {
  const { rows } = await pool.query<Row>(
    `SELECT d.attributes, c.length, c.vector::text AS vector, c.payload, coalesce(
       (SELECT json_agg(json_build_array(t.term, p.occurrences))
        FROM ${postings} p JOIN ${terms} t ON t.number = p.term WHERE p.chunk = c.number), '[]') AS terms
     FROM ${documents} d LEFT JOIN ${chunks} c ON c.document = d.number WHERE d.id = $1 ORDER BY c.chunk`,
    [id],
  );
  if (!rows[0]) return undefined;
  return { id, attributes: rows[0].attributes, chunks: rows.flatMap(chunkOf) };
}

function chunkOf({ length, vector, payload, terms }: Row): IndexedDocument['chunks'] {
  if (length === null) return [];
  const counts = terms.map(([term, count]) => [unwritten(term), count] as const);
  return [
    {
      terms: occurrences(counts, length),
      ...(vector !== null && { vector: Float32Array.from(JSON.parse(vector) as number[]) }),
      ...(payload !== null && { payload: JSON.parse(payload) }),
    },
  ];
}
