import type { IndexedDocument } from '@atoll-mcp/core/storage';
import { decodePostings, occurrences } from '@atoll-mcp/storage/search';
import type { Pool } from '../pool.ts';
import type { SearchTables } from './tables.ts';

const ESCAPE = '\u0001';
const NUL = `${ESCAPE}\u0002`;

/** A term as stored: PostgreSQL text cannot contain NUL, but terms may. */
export const written = (term: string) => term.replaceAll(ESCAPE, ESCAPE + ESCAPE).replaceAll('\u0000', NUL);

const unwritten = (term: string) =>
  term
    .split(ESCAPE + ESCAPE)
    .map((part) => part.replaceAll(NUL, '\u0000'))
    .join(ESCAPE);

interface Row {
  readonly attributes: NonNullable<IndexedDocument['attributes']>;
  readonly postings: Buffer;
  /** Null for a document that has no chunks. */
  readonly chunk: number | null;
  readonly vector: string | null;
  readonly payload: string | null;
}

/** A document as it was stored; undefined if it was removed meanwhile. */
export async function readDocument(
  pool: Pool,
  { documents, chunks, terms }: SearchTables,
  id: string,
): Promise<IndexedDocument | undefined> {
  const { rows } = await pool.query<Row>(
    `SELECT d.attributes, CASE WHEN coalesce(c.chunk, 0) = 0 THEN d.postings END AS postings, c.chunk,
       c.vector::text AS vector, c.payload
     FROM ${documents} d LEFT JOIN ${chunks} c ON c.document = d.number WHERE d.id = $1 ORDER BY c.chunk`,
    [id],
  );
  if (!rows[0]) return undefined;
  const counted = decodePostings(rows[0].postings);
  const numbers = new Set(counted.flatMap(({ counts }) => counts.map(([number]) => number)));
  // Ids of terms never change, so they can be looked up later.
  const named = await pool.query<{ number: number; term: string }>(
    `SELECT number, term FROM ${terms} WHERE number = ANY($1::int[])`,
    [[...numbers]],
  );
  const names = new Map(named.rows.map(({ number, term }) => [number, unwritten(term)]));
  return {
    id,
    attributes: rows[0].attributes,
    chunks: counted.map(({ length, counts }, chunk) => ({
      terms: occurrences(
        counts.map(([number, count]) => [names.get(number)!, count] as const),
        length,
      ),
      ...vectorOf(rows[chunk]!),
      ...payloadOf(rows[chunk]!),
    })),
  };
}

const vectorOf = ({ vector }: Row) =>
  vector === null ? {} : { vector: Float32Array.from(JSON.parse(vector) as number[]) };

const payloadOf = ({ payload }: Row) => (payload === null ? {} : { payload: JSON.parse(payload) as unknown });
