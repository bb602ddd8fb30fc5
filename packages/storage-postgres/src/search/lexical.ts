import { type SearchRequest, StorageError } from '@atoll-mcp/core/storage';
import { decodePostings } from '@atoll-mcp/storage/search';
import type { Pool } from '../pool.ts';
import { Values } from '../where.ts';
import { written } from './documents.ts';
import { invert, type List } from './lists.ts';
import { type Directory, marksOf, type Part, partOf, type Ranked, rank, type SearchedPart } from './ranking.ts';
import { filterSql } from './sql.ts';
import type { SearchTables } from './tables.ts';

/** Retries: concurrent writes may remove a result before it is looked up. */
const ATTEMPTS = 20;
const MAX_REMEMBERED_CHUNKS = 20_000_000;

type Row = { readonly kind: string; readonly one: number | null; readonly other: number | null } & {
  readonly count: number | null;
  readonly bytes: Buffer | null;
};

/** Everything that a search reads, from one snapshot. */
interface Found {
  /** By position in the request; terms that no document has are missing. */
  readonly terms: ReadonlyMap<number, number>;
  /** By segment, then by term. */
  readonly lists: ReadonlyMap<number, ReadonlyMap<number, List>>;
  /** By segment. */
  readonly removed: ReadonlyMap<number, ReadonlySet<number>>;
  readonly loose: readonly number[];
  readonly wanted: ReadonlySet<number> | undefined;
  readonly chunks: number;
  readonly length: number;
}

/** A document that is not in a segment yet, inverted like one. */
interface LooseDocument {
  readonly part: Part;
  readonly lists: ReadonlyMap<number, List>;
}

/** BM25 over posting lists in the database; immutable parts are cached between searches. */
export class LexicalSearch {
  readonly #pool: Pool;
  readonly #tables: SearchTables;
  readonly #segments = new Map<number, Part>();
  #rememberedChunks = 0;
  #loose = new Map<number, LooseDocument>();

  constructor(pool: Pool, tables: SearchTables) {
    this.#pool = pool;
    this.#tables = tables;
  }

  async search({ terms = [], filter, k }: SearchRequest): Promise<Ranked> {
    if (terms.length === 0) return { lexical: [], lexicalBound: 0 };
    for (let tried = 0; tried < ATTEMPTS; tried++) {
      const found = await this.#find(terms, filter);
      const boosts = terms.map(({ boost = 1 }) => boost);
      if (found.terms.size === 0) return rank({ parts: [], boosts, k, chunks: found.chunks, averageLength: 0 });
      const parts = await this.#partsOf(found, terms.length);
      if (!parts) continue;
      return rank({ parts, boosts, k, chunks: found.chunks, averageLength: found.length / found.chunks });
    }
    throw new StorageError('locked', 'Other processes kept changing the index. Try again.');
  }

  async #find(terms: NonNullable<SearchRequest['terms']>, filter: SearchRequest['filter']): Promise<Found> {
    const values = new Values();
    values.add(terms.map(({ term }) => written(term)));
    const condition = filterSql(filter, values);
    const name = condition === undefined ? `${this.#tables.lists} find` : undefined;
    const { rows } = await this.#pool.query<Row>(findSql(this.#tables, condition), values.all, name);
    const of = (kind: string) => rows.filter((row) => row.kind === kind);
    const lists = new Map<number, Map<number, List>>();
    for (const { one, other, count, bytes } of of('list')) {
      const segment = lists.get(other!) ?? new Map<number, List>();
      lists.set(other!, segment.set(one!, { holders: count!, bytes: bytes! }));
    }
    const [total] = of('total');
    return {
      terms: new Map(of('term').map(({ one, other }) => [other! - 1, one!])),
      lists,
      removed: new Map(of('removed').map(({ other, bytes }) => [other!, new Set(numbersIn(bytes))])),
      loose: numbersIn(of('loose')[0]?.bytes),
      wanted: condition === undefined ? undefined : new Set(numbersIn(of('wanted')[0]?.bytes)),
      chunks: total?.one ?? 0,
      length: total?.other ?? 0,
    };
  }

  /** What to search, segments first; undefined if a part was removed meanwhile. */
  async #partsOf(found: Found, terms: number): Promise<SearchedPart[] | undefined> {
    const segments = [...found.lists.keys()].sort((a, b) => a - b);
    if (!(await this.#learnSegments(segments)) || !(await this.#learnLoose(found.loose))) return undefined;
    const inOrder = (lists: ReadonlyMap<number, List>) =>
      Array.from({ length: terms }, (_, place) => lists.get(found.terms.get(place) ?? -1));
    const wanted = (part: Part, isLive: (document: number) => boolean) =>
      found.wanted && marksOf(part, (document) => found.wanted!.has(document) && isLive(document));
    return [
      ...segments.map((segment) => {
        const part = this.#segments.get(segment)!;
        const gone = found.removed.get(segment);
        const isLive = (document: number) => !gone?.has(document);
        const lists = inOrder(found.lists.get(segment)!);
        return { part, lists, live: gone && marksOf(part, isLive), wanted: wanted(part, isLive) };
      }),
      ...found.loose.map((document) => {
        const { part, lists } = this.#loose.get(document)!;
        return { part, lists: inOrder(lists), live: undefined, wanted: wanted(part, () => true) };
      }),
    ];
  }

  async #learnSegments(segments: readonly number[]): Promise<boolean> {
    const unknown = segments.filter((segment) => !this.#segments.has(segment));
    if (unknown.length === 0) return true;
    const { rows } = await this.#pool.query<{ number: number; directory: string }>(
      `SELECT number, directory FROM ${this.#tables.segments} WHERE number = ANY($1::bigint[])`,
      [unknown],
    );
    if (this.#rememberedChunks > MAX_REMEMBERED_CHUNKS) {
      this.#segments.clear();
      this.#rememberedChunks = 0;
    }
    for (const { number, directory } of rows) {
      const part = partOf(JSON.parse(directory) as Directory);
      this.#segments.set(number, part);
      this.#rememberedChunks += part.lengths.length;
    }
    return segments.every((segment) => this.#segments.has(segment));
  }

  async #learnLoose(loose: readonly number[]): Promise<boolean> {
    const unknown = loose.filter((number) => !this.#loose.has(number));
    if (unknown.length > 0) {
      const { rows } = await this.#pool.query<{ number: number; id: string; postings: Buffer }>(
        `SELECT number, id, postings FROM ${this.#tables.documents} WHERE number = ANY($1::bigint[])`,
        [unknown],
      );
      for (const { number, id, postings } of rows) {
        const chunks = decodePostings(postings);
        const part = partOf([[number, id, chunks.map(({ length }) => length)]]);
        this.#loose.set(number, { part, lists: invert(chunks) });
      }
    }
    const learned = this.#loose;
    if (!loose.every((number) => learned.has(number))) return false;
    if (learned.size > 2 * loose.length) this.#loose = new Map(loose.map((number) => [number, learned.get(number)!]));
    return true;
  }
}

/** Rows of several kinds in one statement, so that they come from one snapshot. */
function findSql({ documents, terms, lists, removed, totals }: SearchTables, filter: string | undefined): string {
  const wanted =
    filter === undefined
      ? ''
      : `UNION ALL SELECT 'wanted', NULL, NULL, NULL, string_agg(int8send(d.number), '') FROM ${documents} d WHERE ${filter}`;
  return `
    WITH asked AS MATERIALIZED (
      SELECT t.number, w.place FROM unnest($1::text[]) WITH ORDINALITY AS w (term, place)
      JOIN ${terms} t ON t.term = w.term COLLATE "C")
    SELECT 'term' AS kind, number::bigint AS one, place AS other, NULL::integer AS count, NULL::bytea AS bytes FROM asked
    UNION ALL
    SELECT 'list', l.term, l.segment, l.holders, l.bytes
    FROM (SELECT DISTINCT number FROM asked) a JOIN ${lists} l ON l.term = a.number
    UNION ALL SELECT 'removed', NULL, segment, NULL, string_agg(int8send(document), '') FROM ${removed} GROUP BY segment
    UNION ALL
    SELECT 'loose', NULL, NULL, NULL, string_agg(int8send(number), '' ORDER BY number)
    FROM ${documents} WHERE segment IS NULL
    UNION ALL SELECT 'total', sum(chunks)::bigint, sum(length)::bigint, NULL, NULL FROM ${totals}
    ${wanted}`;
}

function numbersIn(bytes: Buffer | null | undefined): number[] {
  if (!bytes) return [];
  return Array.from({ length: bytes.length / 8 }, (_, place) => Number(bytes.readBigInt64BE(place * 8)));
}
