import { isObject, type Json, type Logger } from '@atoll-mcp/core';
import type { Entry } from '../catalog/catalog.ts';
import { tokensOf } from './tokens.ts';
import { WordIndex } from './word-index.ts';

/** Turns texts into vectors of unit length, so that their product is their likeness. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[] | Float32Array)[]>;

/**
 * What the best match by words adds to a likeness, which is the cosine of two texts: enough to decide between tools that mean
 * nearly the same. Measured in bench/search.mjs.
 */
const WORDS_SHARE = 0.15;
/** Meaning alone finds something for any question; below this it found nothing. */
const LEAST_LIKENESS = 0.2;

type Vector = readonly number[] | Float32Array;

/** Finds tools by words and, when there is an embedder, by meaning too. */
export class ToolSearch {
  readonly #entries: readonly Entry[];
  readonly #words: WordIndex;
  readonly #embed: Embed | undefined;
  readonly #log: Logger;
  #vectors: Promise<readonly Vector[]> | undefined;

  constructor(entries: readonly Entry[], options: { embed?: Embed | undefined; log: Logger }) {
    this.#entries = entries;
    this.#embed = options.embed;
    this.#log = options.log;
    this.#words = new WordIndex(entries.map(documentOf));
  }

  async find(query: string, limit: number): Promise<readonly Entry[]> {
    const byWords = new Map(this.#words.search(query).map(({ name, score }) => [name, score]));
    const most = Math.max(...byWords.values());
    const likenesses = await this.#likenesses(query);
    const asked = wordsOf(query);
    return this.#entries
      .map((entry, index) => {
        const words = (byWords.get(entry.name) ?? 0) / most;
        const likeness = likenesses[index] ?? 0;
        const isFound = words > 0 || likeness >= LEAST_LIKENESS;
        // An exact name or title ranks first.
        const isNamed = asked === wordsOf(entry.name) || asked === wordsOf(textsOf(entry.definition).title);
        return { entry, score: isFound ? likeness + WORDS_SHARE * words + (isNamed ? 1 : 0) : Number.NaN };
      })
      .filter(({ score }) => !Number.isNaN(score))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ entry }) => entry);
  }

  /** Cosine similarity of each tool to the query; empty without an embedder. */
  async #likenesses(query: string): Promise<readonly number[]> {
    if (!this.#embed) return [];
    try {
      this.#vectors ??= this.#embedAll(this.#embed);
      const vectors = await this.#vectors;
      const [asked] = await this.#embed([query]);
      return asked ? vectors.map((vector) => product(asked, vector)) : [];
    } catch (error) {
      // Lexical search still finds most tools, so continue without vectors.
      this.#log.warn('tools not embedded', { error });
      this.#vectors = undefined;
      return [];
    }
  }

  /** The mean of the vectors of the full description and its first sentence. */
  async #embedAll(embed: Embed): Promise<readonly Vector[]> {
    const whole = this.#entries.map((entry) => summaryOf(entry));
    const heads = this.#entries.map((entry) => summaryOf(entry, firstSentence));
    const vectors = await embed([...whole, ...heads]);
    return whole.map((_, index) => between(vectors[index] ?? [], vectors[index + whole.length] ?? []));
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
