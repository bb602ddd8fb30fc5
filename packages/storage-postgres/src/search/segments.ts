import { type ChunkTerms, decodePostings } from '@atoll-mcp/storage/search';
import type { Pool, Queryable } from '../pool.ts';
import { invert } from './lists.ts';
import type { Directory } from './ranking.ts';
import type { SearchTables } from './tables.ts';

/** Chunks per segment. Fewer mean more rows to read per term; more mean more loose documents to scan. */
const SEGMENT_CHUNKS = 2_048;
/** A segment of which this share was removed is dissolved, so that searches have few removed documents to look at. */
const REMOVED_SHARE = 1 / 8;
const ROWS = 20_000;

export interface Look {
  /** Number of slots of loose documents. */
  readonly loose: number;
  /** A segment that is worth dissolving. */
  readonly wasteful: number | null;
}

interface Loose {
  readonly number: number;
  readonly id: string;
  readonly chunks: number;
  readonly postings: Buffer;
}

/** The size of a segment in slots; a document without chunks takes one too. */
export const placesOf = (chunks: number) => Math.max(chunks, 1);

/** Turns loose documents into segments and wasteful segments into loose documents, beside reading and writing. */
export class Segments {
  readonly #pool: Pool;
  readonly #tables: SearchTables;
  #work: Promise<void> | undefined;

  constructor(pool: Pool, tables: SearchTables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  /** Selects the arguments of `changed` after a change; `segment` names the value of the segment that lost a document. */
  lookSql(segment: string): string {
    const { documents, segments, removed } = this.#tables;
    return `SELECT coalesce(sum(greatest(chunks, 1)), 0) AS loose, (
        SELECT number FROM ${segments} s WHERE number = ${segment}::bigint AND places * ${REMOVED_SHARE}::float8 <=
          (SELECT sum(places) FROM ${removed} r WHERE r.segment = s.number)) AS wasteful
      FROM ${documents} WHERE segment IS NULL`;
  }

  /** Starts maintenance in the background if it is worth it. */
  changed({ loose, wasteful }: Look): void {
    if (this.#work || (loose < SEGMENT_CHUNKS && wasteful === null)) return;
    // A failure costs nothing but speed, and the next change tries again.
    this.#work = this.#tidy(wasteful)
      .catch(() => {})
      .finally(() => {
        this.#work = undefined;
      });
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  async #tidy(wasteful: number | null): Promise<void> {
    const { documents } = this.#tables;
    await this.#pool.transaction(async (client) => {
      const sql = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 3)) AS mine';
      if (!(await client.query<{ mine: boolean }>(sql, [documents])).rows[0]?.mine) return;
      if (wasteful !== null) await this.#dissolve(client, wasteful);
      if ((await this.#look(client, null)).loose < SEGMENT_CHUNKS) return;
      // A concurrent removal waits, and then sees the new segment.
      const { rows } = await client.query<Loose>(
        `SELECT number, id, chunks, postings FROM ${documents} WHERE segment IS NULL
         ORDER BY number FOR NO KEY UPDATE SKIP LOCKED`,
      );
      for (const group of fullGroups(rows)) await this.#seal(client, group);
    }, 'read committed');
  }

  async #seal(client: Queryable, group: readonly Loose[]): Promise<void> {
    const { documents, segments, lists } = this.#tables;
    const terms = group.map(({ postings }) => decodePostings(postings));
    const directory: Directory = group.map(({ number, id }, place) => [
      number,
      id,
      (terms[place] as ChunkTerms[]).map(({ length }) => length),
    ]);
    const { rows } = await client.query<{ number: number }>(
      `INSERT INTO ${segments} (places, directory) VALUES ($1, $2) RETURNING number`,
      [group.reduce((sum, { chunks }) => sum + placesOf(chunks), 0), JSON.stringify(directory)],
    );
    const segment = rows[0]!.number;
    // By term, so that rows of one segment are written in the order of the index.
    const inverted = [...invert(terms.flat())].sort(([a], [b]) => a - b);
    for (let from = 0; from < inverted.length; from += ROWS) {
      const batch = inverted.slice(from, from + ROWS);
      await client.query(
        `INSERT INTO ${lists} SELECT e.term, $1, e.holders, e.bytes
         FROM unnest($2::int[], $3::int[], $4::bytea[]) AS e (term, holders, bytes)`,
        [
          segment,
          batch.map(([term]) => term),
          batch.map(([, { holders }]) => holders),
          batch.map(([, { bytes }]) => Buffer.from(bytes)),
        ],
      );
    }
    await client.query(`UPDATE ${documents} SET segment = $1 WHERE number = ANY($2::bigint[])`, [
      segment,
      group.map(({ number }) => number),
    ]);
  }

  async #look(client: Queryable, segment: number | null): Promise<Look> {
    return (await client.query<Look>(this.lookSql('$1'), [segment])).rows[0]!;
  }

  /** The remaining documents of a segment become loose. */
  async #dissolve(client: Queryable, segment: number): Promise<void> {
    const { documents, segments, lists, removed } = this.#tables;
    // Another process may have been first.
    if ((await this.#look(client, segment)).wasteful === null) return;
    // First, because it waits for removals that are in progress.
    await client.query(`UPDATE ${documents} SET segment = NULL WHERE segment = $1`, [segment]);
    await client.query(`DELETE FROM ${removed} WHERE segment = $1`, [segment]);
    await client.query(`DELETE FROM ${lists} WHERE segment = $1`, [segment]);
    await client.query(`DELETE FROM ${segments} WHERE number = $1`, [segment]);
  }
}

/** Groups documents into full segments; the rest stays loose. */
function fullGroups(loose: readonly Loose[]): Loose[][] {
  const groups: Loose[][] = [];
  let group: Loose[] = [];
  let places = 0;
  for (const document of loose) {
    group.push(document);
    places += placesOf(document.chunks);
    if (places < SEGMENT_CHUNKS) continue;
    groups.push(group);
    group = [];
    places = 0;
  }
  return groups;
}
