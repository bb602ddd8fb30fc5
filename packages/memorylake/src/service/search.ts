import type { Logger } from '@atoll-mcp/core';
import type { SearchFilter, SearchResult } from '@atoll-mcp/core/storage';
import type { LakeEmbedder } from '../backends/interface.ts';
import type { MemoryType, Place } from '../domain/document.ts';
import { denseWeightFor, fuse } from '../domain/fuse.ts';
import { groupByMemory, type MemoryMatch } from '../domain/group.ts';
import { attributeFilter, type MemoryFilter } from '../domain/organise/memory-filter.ts';
import { type ParsedQuery, parseQuery } from '../domain/parse-query.ts';
import { queryTerms, type WeightedTerm } from '../domain/query-terms.ts';
import { bestSnippet } from '../domain/snippet.ts';
import { clip, summariseMatch } from '../domain/summarise.ts';
import { lineOf } from '../domain/tables/chunk-rows.ts';
import { emptyQuery, searchFailed } from '../errors.ts';
import type { Catalog } from './catalog.ts';
import { CARD, type ChunkPayload, type LakeIndex } from './lake-index.ts';
import type { MemoryRecord } from './memory-record.ts';
import type { ChangedSource } from './remember/cited-texts.ts';

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
  /** Of a note: its sources that have changed since. */
  readonly changes?: readonly ChangedSource[];
}

export interface SearchAnswer {
  readonly results: readonly FoundMemory[];
  /** How many memories match, those returned among them. */
  readonly total: number;
  readonly mode: 'hybrid' | 'keywords';
  /** Said when the search could do less than it should. */
  readonly notice: string | undefined;
  readonly parsedQuery: ParsedQuery;
}

const CANDIDATES = 200;
/** Passages that are counted, so that the number of matches is not that of the candidates. */
const COUNTED = 10_000;
const PASSAGES = 3;
const SNIPPET = 320;
/** A passage without one of the words is only shown when its meaning is this near. */
const LEAST_COSINE = 0.3;

/** Finds memories by words and by meaning. */
export class Search {
  private readonly options: SearchOptions;

  constructor(options: SearchOptions) {
    this.options = options;
  }

  async search(question: SearchQuestion): Promise<SearchAnswer> {
    const parsedQuery = question.parsedQuery ?? parseQuery(question.query ?? '');
    const terms = queryTerms(parsedQuery, question.parsedQuery !== undefined);
    const dense = parsedQuery.rewrittenQueryForDenseModel.trim() || parsedQuery.bm25CleanedQuery.trim();
    if (terms.length === 0 && dense === '') throw emptyQuery();
    const [{ vector, notice }, counts] = await Promise.all([
      this.embed(dense, question.signal),
      this.countVectors(),
    ]).catch((error) => {
      question.signal?.throwIfAborted();
      throw searchFailed(error);
    });
    const hits = await this.find(terms, vector, counts.foreign, question);
    const weight = denseWeightFor(dense, { multilingual: this.options.multilingual });
    const limit = question.limit ?? 10;
    const match = (lexical: SearchResult['lexical']) =>
      groupByMemory(
        fuse(lexical, hits.vector, weight).filter(
          (hit) => hit.lexical !== undefined || (hit.cosine ?? 0) >= LEAST_COSINE,
        ),
      );
    const near = match(hits.lexical);
    // A list that is full may hide further memories behind the many passages of one.
    const all = hits.lexical.length < CANDIDATES ? near : match(await this.findAll(terms, question));
    const results = await this.describe(near.length < limit ? all : near, terms, limit);
    return {
      results,
      total: Math.max(all.length, results.length),
      mode: vector ? 'hybrid' : 'keywords',
      notice: notice ?? partly(counts),
      parsedQuery,
    };
  }

  private async embed(text: string, signal?: AbortSignal): Promise<{ vector?: Float32Array; notice?: string }> {
    const { embedder, index, log } = this.options;
    if (!embedder) return { notice: 'Only keywords were used: this lake runs without an embedding model.' };
    if (!(await index.takesVectors())) {
      return {
        notice: 'Only keywords were used: the vectors in this lake are from another model. Run "memorylake reindex".',
      };
    }
    try {
      const [vector] = await embedder.embed([embedder.model.prompts.query + text], {
        priority: 'interactive',
        ...(signal && { signal }),
      });
      return vector ? { vector } : {};
    } catch (error) {
      signal?.throwIfAborted();
      log.warn('embedding a question failed, keywords only', { error });
      return { notice: 'Only keywords were used: the embedding model is not available at the moment.' };
    }
  }

  private async find(
    terms: readonly WeightedTerm[],
    vector: Float32Array | undefined,
    foreign: number,
    question: SearchQuestion,
  ): Promise<SearchResult> {
    const { signal } = question;
    const filter = filterOf(question);
    const shared = { k: CANDIDATES, ...(signal && { signal }) };
    try {
      const index = await this.options.index.index();
      const mixed = vector !== undefined && foreign > 0;
      const result = await index.search({ ...shared, terms, filter, ...(vector && !mixed && { vector }) });
      if (!mixed) return result;
      // Vectors of an earlier model lie in another space; only words find those memories until they are read again.
      const own = { ...filter, attributes: { ...filter.attributes, model: this.options.embedder!.identity } };
      return { lexical: result.lexical, vector: (await index.search({ ...shared, vector, filter: own })).vector };
    } catch (error) {
      signal?.throwIfAborted();
      throw searchFailed(error);
    }
  }

  /** Every passage with one of the words, up to a number that no answer shows. */
  private async findAll(terms: readonly WeightedTerm[], question: SearchQuestion): Promise<SearchResult['lexical']> {
    const { signal } = question;
    try {
      const index = await this.options.index.index();
      const found = await index.search({ k: COUNTED, terms, filter: filterOf(question), ...(signal && { signal }) });
      return found.lexical;
    } catch (error) {
      signal?.throwIfAborted();
      throw searchFailed(error);
    }
  }

  /** How many memories meaning can find, how many it cannot for want of vectors, and how many have those of another model. */
  private async countVectors(): Promise<VectorCounts> {
    const { catalog, embedder } = this.options;
    const count = (where: { model?: string | null; leaseUntilMs?: { atLeast: number } }) =>
      catalog.memories.count({ status: 'ready', ...where });
    const [all, own, without, underWay] = await Promise.all([
      count({}),
      count({ model: embedder?.identity ?? '' }),
      count({ model: null }),
      count({ model: null, leaseUntilMs: { atLeast: 0 } }),
    ]);
    return { own, without: without - underWay, underWay, foreign: all - own - without };
  }

  private async describe(
    matches: readonly MemoryMatch[],
    terms: readonly WeightedTerm[],
    limit: number,
  ): Promise<FoundMemory[]> {
    const { catalog, index } = this.options;
    const records = await catalog.memories.getMany(matches.map(({ memoryId }) => memoryId));
    const found = matches
      .map((match, at) => ({ match, memory: records[at] }))
      .filter((pair): pair is { match: MemoryMatch; memory: MemoryRecord } => pair.memory?.status === 'ready')
      .slice(0, limit);
    const refs = found.flatMap(({ match }) => best(match).map(({ documentId, chunk }) => ({ documentId, chunk })));
    const payloads = await (await index.index()).payloads(refs);
    const payloadOf = new Map(
      refs.map((ref, at) => [`${ref.documentId}/${ref.chunk}`, payloads[at] as ChunkPayload | undefined]),
    );
    const boosts = new Map(terms.map(({ term, boost }) => [term, boost]));
    return found.map(({ match, memory }) => {
      const passages = best(match).flatMap(({ chunk, score }): Passage[] => {
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

/** A snippet of a sheet begins with the column names: a row alone does not say what its values are. */
function withHeader(text: string, { sheet }: Place, memory: MemoryRecord): string {
  const columns = memory.sheets.find(({ name }) => name === sheet)?.columns ?? [];
  const isNamed = columns.some((name, at) => name !== `column_${at + 1}`);
  const header = lineOf(columns.map((name) => (/^Unnamed: \d+$/.test(name) ? '' : name)));
  return sheet === undefined || !isNamed || text.startsWith(header) ? text : `${header}\n${text}`;
}

/** The passages to show. The card is no passage: where it matched best, the summary says what the memory is. */
const best = (match: MemoryMatch) => match.chunks.filter(({ chunk }) => chunk !== CARD).slice(0, PASSAGES);

function partly({ own, without, underWay, foreign }: VectorCounts): string | undefined {
  const all = own + without + underWay + foreign;
  const parts: string[] = [];
  if (underWay > 0) parts.push(`${underWay} of ${all} files are found by keywords only until their vectors are made.`);
  if (without + foreign > 0)
    parts.push(
      `${without + foreign} of ${all} files are found by keywords only: they have no vectors of the present model. Run "memorylake reindex".`,
    );
  return parts.length === 0 ? undefined : parts.join(' ');
}

const round = (score: number): number => Math.round(score * 10_000) / 10_000;

/** Files by what their vectors are: of the present model, none, none yet, or of another model. */
interface VectorCounts {
  readonly own: number;
  readonly without: number;
  readonly underWay: number;
  readonly foreign: number;
}

export interface SearchOptions {
  readonly catalog: Catalog;
  readonly index: LakeIndex;
  readonly embedder: LakeEmbedder | undefined;
  /** Whether the model understands other languages than English. */
  readonly multilingual: boolean;
  readonly log: Logger;
}
