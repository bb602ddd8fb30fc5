import { encodePostings } from '@atoll-mcp/storage/search';
import type { Queryable } from '../pool.ts';
import type { SearchTables } from './tables.ts';

const BATCH = 100;

interface Row {
  readonly number: number;
  /** In the order of the chunks: each chunk's length, and its terms by number with their counts. */
  readonly chunks: { length: number; counts: [term: number, count: number][] }[];
}

/** Migrates from one row per term and chunk to one value per document. */
export async function upgradeRows(
  client: Queryable,
  { documents, chunks }: SearchTables,
  postings: string,
): Promise<void> {
  await client.query(`ALTER TABLE ${documents} ADD COLUMN postings bytea, ADD COLUMN segment bigint`);
  const counts = `SELECT coalesce(json_agg(json_build_array(p.term, p.occurrences) ORDER BY p.term), '[]')
    FROM ${postings} p WHERE p.chunk = c.number`;
  const sql = `SELECT d.number, (
      SELECT coalesce(json_agg(json_build_object('length', c.length, 'counts', (${counts})) ORDER BY c.chunk), '[]')
      FROM ${chunks} c WHERE c.document = d.number) AS chunks
    FROM ${documents} d WHERE d.number > $1 ORDER BY d.number LIMIT ${BATCH}`;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { rows }: { rows: Row[] } = await client.query<Row>(sql, [after]);
    await client.query(
      `UPDATE ${documents} d SET postings = e.postings
       FROM unnest($1::bigint[], $2::bytea[]) AS e (number, postings) WHERE d.number = e.number`,
      [rows.map(({ number }) => number), rows.map((row) => Buffer.from(encodePostings(row.chunks)))],
    );
    after = rows.at(-1)?.number;
  }
  await client.query(`ALTER TABLE ${documents} ALTER COLUMN postings SET NOT NULL;
    ALTER TABLE ${chunks} DROP COLUMN length;
    DROP TABLE ${postings}`);
}
