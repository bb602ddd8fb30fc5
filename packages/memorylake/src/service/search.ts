import type { SearchFilter, SearchResult } from '@atoll-mcp/core/storage';
import { spokenBy } from '../domain/chats/chat-time.ts';
import type { MemoryType, Place } from '../domain/document.ts';
import { fuse, wordsWeightFor } from '../domain/fuse.ts';
import { groupByMemory, type MemoryMatch } from '../domain/group.ts';
import { attributeFilter, type MemoryFilter } from '../domain/organise/memory-filter.ts';
import { type ParsedQuery, parseQuery } from '../domain/parse-query.ts';
import { queryTerms, type WeightedTerm } from '../domain/query-terms.ts';
import { bestSnippet } from '../domain/snippet.ts';
import { clip, summariseMatch } from '../domain/summarise.ts';
import { lineOf } from '../domain/tables/chunk-rows.ts';
import { emptyQuery, searchFailed } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';
import { CARD, type ChunkPayload, type LakeIndex } from './lake-index.ts';
import type { MemoryRecord, SheetRecord } from './memory-record.ts';
import type { ChangedSource } from './remember/cited-texts.ts';
import type { Meaning } from './vectors/meaning.ts';

export interface SearchQuestion extends MemoryFilter {
  readonly query?: string | undefined;
  readonly parsedQuery?: ParsedQuery | undefined;
  readonly limit?: number | undefined;
  readonly type?: MemoryType | undefined;
  readonly memoryIds?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Passage {
  readonly text: string;
  readonly place: Place;
  readonly chunk: number;
  readonly score: number;
}

export interface FoundMemory {
  readonly memory: MemoryRecord;
  readonly summary: string;
  readonly score: number;
  readonly passages: readonly Passage[];
  /** For notes: sources that have changed since. */
  readonly changes?: readonly ChangedSource[];
}

export interface SearchAnswer {
  readonly results: readonly FoundMemory[];
  /** How many memories match, including the returned ones. */
  readonly total: number;
  readonly mode: 'hybrid' | 'keywords';
  /** Set if the search was limited, with the reason. */
  readonly notice: string | undefined;
  readonly parsedQuery: ParsedQuery;
}

const CANDIDATES = 200;
/** Passages considered for the total, which would otherwise be limited by the candidates. */
const MAX_COUNTED = 10_000;
const PASSAGES = 3;
/** Turns of chats over all results, since an answer may span several; each chat gets fewer when there are many. */
const CHAT_TURNS = 12;
const SNIPPET = 320;
/** How long a search waits for vectors of new files. */
const VECTORS_TIMEOUT_MS = 1_000;

/** Searches by keywords and by meaning. */
export class Search {
  readonly #options: SearchOptions;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  async search(question: SearchQuestion): Promise<SearchAnswer> {
    const parsedQuery = question.parsedQuery ?? parseQuery(question.query ?? '');
    const terms = queryTerms(parsedQuery, question.parsedQuery !== undefined);
    const dense = parsedQuery.rewrittenQueryForDenseModel.trim() || parsedQuery.bm25CleanedQuery.trim();
    if (terms.length === 0 && dense === '') throw emptyQuery();
    const { signal } = question;
    const { near, all, notice, mode } = await this.#find(terms, dense, question).catch((error) => {
      signal?.throwIfAborted();
      throw searchFailed(error);
    });
    const limit = question.limit ?? 10;
    const results = await this.#describe(near.length < limit ? all : near, terms, limit);
    return { results, total: Math.max(all.length, results.length), mode, notice, parsedQuery };
  }

  async #find(terms: readonly WeightedTerm[], dense: string, question: SearchQuestion) {
    const { signal } = question;
    const filter = filterOf(question);
    const shared = { ...(signal && { signal }), filter };
    await this.#options.ingest.waitForVectors(VECTORS_TIMEOUT_MS, signal);
    const index = await this.#options.index.index();
    const [words, meaning] = await Promise.all([
      index.search({ ...shared, terms, k: CANDIDATES }),
      this.#options.meaning.find(dense, { ...shared, k: CANDIDATES }),
    ]);
    const match = (lexical: SearchResult['lexical']) =>
      groupByMemory(
        fuse({ ...words, lexical }, meaning.hits, { wordsWeight: wordsWeightFor(dense), trust: meaning.trust }),
      );
    const near = match(words.lexical);
    // In a full list, the passages of one memory may displace other memories.
    const all =
      words.lexical.length < CANDIDATES
        ? near
        : match((await index.search({ ...shared, terms, k: MAX_COUNTED })).lexical);
    return { near, all, notice: meaning.notice, mode: meaning.mode };
  }

  async #describe(
    matches: readonly MemoryMatch[],
    terms: readonly WeightedTerm[],
    limit: number,
  ): Promise<FoundMemory[]> {
    const { catalog, index } = this.#options;
    const records = await catalog.memories.getMany(matches.map(({ memoryId }) => memoryId));
    const found = matches
      .map((match, at) => ({ match, memory: records[at] }))
      .filter((pair): pair is { match: MemoryMatch; memory: MemoryRecord } => pair.memory?.status === 'ready')
      .slice(0, limit);
    const turns = Math.max(PASSAGES, Math.floor(CHAT_TURNS / Math.max(1, found.length)));
    // The card is not a passage; if it is the best match, the summary describes the memory.
    const best = ({ match, memory }: (typeof found)[number]) =>
      match.chunks.filter(({ chunk }) => chunk !== CARD).slice(0, memory.format === 'chat' ? turns : PASSAGES);
    const refs = found.flatMap((pair) => best(pair).map(({ documentId, chunk }) => ({ documentId, chunk })));
    const payloads = await (await index.index()).payloads(refs);
    const payloadOf = new Map(
      refs.map((ref, at) => [`${ref.documentId}/${ref.chunk}`, payloads[at] as ChunkPayload | undefined]),
    );
    const boosts = new Map(terms.map(({ term, boost }) => [term, boost]));
    return found.map((pair) => {
      const { match, memory } = pair;
      const passages = best(pair).flatMap(({ chunk, score }): Passage[] => {
        const payload = payloadOf.get(`${memory.id}/${chunk}`);
        return payload
          ? [
              {
                text: withHeader(bestSnippet(payload.text, boosts, SNIPPET), payload.place, memory),
                place: payload.place,
                chunk,
                score: round(score),
              },
            ]
          : [];
      });
      const isByName = match.chunks[0]?.chunk === CARD;
      const summary =
        isByName || passages.length === 0 ? clip(memory.summary, 600) : summariseMatch(passages.slice(0, 2));
      return { memory, passages, score: round(match.score), summary };
    });
  }
}

const filterOf = ({ type, memoryIds, ...filter }: SearchQuestion): SearchFilter => ({
  ...(memoryIds && { documentIds: memoryIds }),
  attributes: { ...attributeFilter(filter), ...(type && { type }) },
});

/** Prepends column names to snippets of sheets and the speaker to snippets of chats. */
function withHeader(text: string, place: Place, memory: MemoryRecord): string {
  const { sheet } = place;
  if (place.turn !== undefined) return text.includes(spokenBy(place)) ? text : `${spokenBy(place)}${text}`;
  const columns = (lowerTableAt(place, memory) ?? memory.sheets.find(({ name }) => name === sheet))?.columns ?? [];
  const isNamed = columns.some((name, at) => name !== `column_${at + 1}`);
  const header = lineOf(columns.map((name) => (/^Unnamed: \d+$/.test(name) ? '' : name)));
  return sheet === undefined || !isNamed || text.startsWith(header) ? text : `${header}\n${text}`;
}

/** The table that contains a place, if it is not the first on its sheet. */
const lowerTableAt = ({ sheet, rows }: Place, { documentTables = [] }: MemoryRecord): SheetRecord | undefined =>
  documentTables.find(({ place }) => {
    const within = place && sheet !== undefined && place.sheet === sheet ? place.rows : undefined;
    return within && rows && within[0] <= rows[0] && rows[0] <= within[1];
  });

const round = (score: number): number => Math.round(score * 10_000) / 10_000;

interface SearchOptions {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly meaning: Meaning;
  readonly ingest: Pick<IngestPipeline, 'waitForVectors'>;
}
