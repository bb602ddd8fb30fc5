import { isObject, type Json, type Logger } from '@atoll-mcp/core';
import type { Entry } from '../catalog/catalog.ts';
import { tokensOf } from './tokens.ts';
import type { EmbeddingModel, VectorCache } from './vector-cache.ts';
import { WordIndex } from './word-index.ts';

/** Turns texts into vectors of unit length, so that their product is their similarity. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[] | Float32Array)[]>;

/**
 * What the best match by words adds to a similarity, which is the cosine of two texts: enough to decide between tools that mean
 * nearly the same. Measured in bench/search.mjs.
 */
const WORDS_SHARE = 0.15;
/** Meaning alone finds something for any question; below this it found nothing. */
const MIN_SIMILARITY = 0.2;

export type Vector = readonly number[] | Float32Array;

/** How long a search waits for vectors before it answers by words alone. */
const VECTOR_WAIT_MS = 200;

export interface Found {
  readonly entries: readonly Entry[];
  /** False if the vectors were not ready, so that only words counted. */
  readonly usedMeaning: boolean;
}

export interface ToolSearchOptions {
  /** Undefined where meaning cannot be compared. */
  readonly model?: (() => Promise<EmbeddingModel>) | undefined;
  readonly cache: Pick<VectorCache, 'embed'>;
  readonly log: Logger;
  readonly waitMs?: number;
}

/** Finds tools by words and, when there is an embedder, by meaning too. */
export class ToolSearch {
  readonly #entries: readonly Entry[];
  readonly #words: WordIndex;
  readonly #options: ToolSearchOptions;
  #vectors: Promise<readonly Vector[]> | undefined;

  constructor(entries: readonly Entry[], options: ToolSearchOptions) {
    this.#entries = entries;
    this.#options = options;
    this.#words = new WordIndex(entries.map(documentOf));
  }

  /** Makes the vectors in the background, so that the first search need not wait for them. */
  prepare(): void {
    void this.#similarities('tools');
  }

  async find(query: string, limit: number): Promise<Found> {
    const byWords = new Map(this.#words.search(query).map(({ name, score }) => [name, score]));
    const most = Math.max(...byWords.values());
    const similarities = await this.#inTime(this.#similarities(query));
    const asked = wordsOf(query);
    const entries = this.#entries
      .map((entry, index) => {
        const words = (byWords.get(entry.name) ?? 0) / most;
        const similarity = similarities?.[index] ?? 0;
        const isFound = words > 0 || similarity >= MIN_SIMILARITY;
        // An exact name or title ranks first.
        const isNamed = asked === wordsOf(entry.name) || asked === wordsOf(textsOf(entry.definition).title);
        return { entry, score: isFound ? similarity + WORDS_SHARE * words + (isNamed ? 1 : 0) : Number.NaN };
      })
      .filter(({ score }) => !Number.isNaN(score))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ entry }) => entry);
    return { entries, usedMeaning: similarities !== undefined };
  }

  /** Undefined if it is not there in time; the work goes on for the next search. */
  async #inTime<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#options.waitMs ?? VECTOR_WAIT_MS);
    });
    const first = await Promise.race([work, late]);
    clearTimeout(timer);
    return first;
  }

  /** Cosine similarity of each tool to the query; undefined without an embedder. */
  async #similarities(query: string): Promise<readonly number[] | undefined> {
    const { model, cache, log } = this.#options;
    if (!model) return undefined;
    try {
      const embedding = await model();
      this.#vectors ??= this.#embedAll(cache, embedding);
      const vectors = await this.#vectors;
      const [wanted] = await embedding.embed([query]);
      return wanted && vectors.map((vector) => product(wanted, vector));
    } catch (error) {
      // Lexical search still finds most tools, so continue without vectors.
      log.warn('tools not embedded', { error });
      this.#vectors = undefined;
      return undefined;
    }
  }

  /** The mean of the vectors of the full description and its first sentence. */
  async #embedAll(cache: ToolSearchOptions['cache'], model: EmbeddingModel): Promise<readonly Vector[]> {
    const full = this.#entries.map((entry) => summaryOf(entry));
    const heads = this.#entries.map((entry) => summaryOf(entry, firstSentence));
    const vectors = await cache.embed(model, [...full, ...heads]);
    return full.map((_, index) => between(vectors[index] ?? [], vectors[index + full.length] ?? []));
  }
}

function documentOf({ name, member, definition }: Entry) {
  const { title, description } = textsOf(definition);
  return {
    name,
    fields: [
      { text: name, weight: 4 },
      { text: title, weight: 3 },
      { text: description, weight: 1.5 },
      { text: argumentsOf(definition), weight: 0.7 },
      { text: member.supervisor.key, weight: 1 },
    ],
  };
}

function summaryOf({ name, definition }: Entry, shorten = (text: string) => text): string {
  const { title, description } = textsOf(definition);
  return `${title || name.replaceAll('_', ' ')}. ${shorten(description)}`.slice(0, 1_000);
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function wordsOf(text: string): string {
  return tokensOf(text).join(' ');
}

function textsOf({ title, description, annotations }: Json): { title: string; description: string } {
  const fallback = isObject(annotations) ? annotations.title : undefined;
  return { title: textOf(title ?? fallback), description: textOf(description) };
}

function argumentsOf({ inputSchema }: Json): string {
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return '';
  return Object.entries(inputSchema.properties)
    .map(([key, schema]) => `${key} ${isObject(schema) ? textOf(schema.description) : ''}`)
    .join(' ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function between(a: Vector, b: Vector): number[] {
  return Array.from(a, (value, index) => (value + (b[index] ?? 0)) / 2);
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
