import type {
  ChunkRef,
  IndexedChunk,
  IndexedDocument,
  SearchFilter,
  SearchHit,
  SearchIndex,
  SearchIndexDefinition,
  SearchIndexStats,
  SearchRequest,
  SearchResult,
} from '@atoll-mcp/core/storage';
import { closedStore } from '@atoll-mcp/core/storage';
import { isAllowed } from '../../rules/attributes.ts';
import { compareText } from '../../rules/matching.ts';
import { checkDocument, checkRequest } from '../../rules/search-checks.ts';
import { idf, MAX_SATURATION, saturation } from '../../search/bm25.ts';
import { occurrences } from '../../search/occurrences.ts';

interface Held {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly vector: Float32Array | undefined;
  readonly payload: string | undefined;
}

interface HeldDocument {
  readonly attributes: NonNullable<IndexedDocument['attributes']>;
  readonly chunks: readonly Held[];
}

/** The plainest index that is right: every search looks at every chunk. For tests, and what fits in a test. */
export class MemorySearch implements SearchIndex {
  readonly #definition: SearchIndexDefinition;
  readonly #documents = new Map<string, HeldDocument>();
  #closed = false;

  constructor(definition: SearchIndexDefinition) {
    this.#definition = definition;
  }

  async upsert(document: IndexedDocument): Promise<void> {
    this.#refuseClosed();
    checkDocument(this.#definition, document);
    this.#documents.delete(document.id);
    this.#documents.set(document.id, { attributes: { ...document.attributes }, chunks: document.chunks.map(hold) });
  }

  async updateAttributes(documentId: string, attributes: HeldDocument['attributes']): Promise<boolean> {
    this.#refuseClosed();
    const document = this.#documents.get(documentId);
    if (document) this.#documents.set(documentId, { ...document, attributes: { ...attributes } });
    return document !== undefined;
  }

  async remove(documentId: string): Promise<boolean> {
    this.#refuseClosed();
    return this.#documents.delete(documentId);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    this.#refuseClosed();
    checkRequest(this.#definition, request);
    request.signal?.throwIfAborted();
    const { terms = [], vector, filter = {}, k } = request;
    const candidates = this.#candidates(filter);
    const weighted = this.#weigh(terms);
    return {
      lexical: best(this.#scoreTerms(weighted, candidates), k),
      lexicalBound: weighted.reduce((sum, { weight }) => sum + weight * MAX_SATURATION, 0),
      vector: best(vector === undefined ? [] : scoreVectors(vector, candidates), k),
    };
  }

  async payloads(chunks: readonly ChunkRef[]): Promise<unknown[]> {
    this.#refuseClosed();
    return chunks.map(({ documentId, chunk }) => {
      const payload = this.#documents.get(documentId)?.chunks[chunk]?.payload;
      return payload === undefined ? undefined : JSON.parse(payload);
    });
  }

  async stats(): Promise<SearchIndexStats> {
    this.#refuseClosed();
    const chunks = this.#chunks();
    const vectors = chunks.filter(({ vector }) => vector !== undefined).length;
    return { documents: this.#documents.size, chunks: chunks.length, vectors };
  }

  async *documents(): AsyncIterable<IndexedDocument> {
    this.#refuseClosed();
    for (const [id, { attributes, chunks }] of [...this.#documents].sort(([a], [b]) => compareText(a, b))) {
      yield { id, attributes, chunks: chunks.map(chunkOf) };
    }
  }

  async warm(): Promise<void> {
    this.#refuseClosed();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #weigh(terms: NonNullable<SearchRequest['terms']>): WeightedTerm[] {
    const all = this.#chunks();
    return terms.map(({ term, boost = 1 }) => {
      const having = all.filter(({ counts }) => counts.has(term)).length;
      return { term, weight: boost * idf(all.length, having) };
    });
  }

  #scoreTerms(weighted: readonly WeightedTerm[], candidates: Candidate[]): SearchHit[] {
    const all = this.#chunks();
    const average = all.reduce((sum, { length }) => sum + length, 0) / all.length;
    return candidates.flatMap(({ ref, held }) => {
      const matches = weighted.filter(({ term }) => held.counts.has(term));
      if (matches.length === 0) return [];
      const share = ({ term, weight }: WeightedTerm) =>
        weight * saturation(held.counts.get(term) ?? 0, held.length, average);
      return [{ ...ref, score: matches.reduce((sum, match) => sum + share(match), 0) }];
    });
  }

  #candidates({ documentIds, attributes = {} }: SearchFilter): Candidate[] {
    const wanted = documentIds && new Set(documentIds);
    return [...this.#documents].flatMap(([documentId, document]) => {
      if (wanted && !wanted.has(documentId)) return [];
      const fits = Object.entries(attributes).every(([name, allowed]) =>
        isAllowed(document.attributes[name] ?? null, allowed),
      );
      return fits ? document.chunks.map((held, chunk) => ({ ref: { documentId, chunk }, held })) : [];
    });
  }

  #chunks(): Held[] {
    return [...this.#documents.values()].flatMap(({ chunks }) => chunks);
  }

  #refuseClosed(): void {
    if (this.#closed) throw closedStore('search index');
  }
}

interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

interface Candidate {
  readonly ref: ChunkRef;
  readonly held: Held;
}

function hold({ terms, vector, payload }: IndexedDocument['chunks'][number]): Held {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length, vector: vector?.slice(), payload: JSON.stringify(payload) };
}

function chunkOf({ counts, length, vector, payload }: Held): IndexedChunk {
  return {
    terms: occurrences([...counts], length),
    ...(vector && { vector: vector.slice() }),
    ...(payload !== undefined && { payload: JSON.parse(payload) }),
  };
}

function scoreVectors(query: Float32Array, candidates: Candidate[]): SearchHit[] {
  return candidates.flatMap(({ ref, held: { vector } }) => {
    if (vector === undefined) return [];
    return [{ ...ref, score: vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0) }];
  });
}

const best = (hits: SearchHit[], k: number) => hits.sort((a, b) => b.score - a.score).slice(0, k);
