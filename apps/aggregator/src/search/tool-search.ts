import type { Json, Logger } from '@atoll-mcp/core';
import type { Entry } from '../catalog/catalog.ts';
import { isObject } from '../wire/message.ts';
import { WordIndex } from './word-index.ts';

/** Turns texts into vectors of unit length, so that their product is their likeness. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[] | Float32Array)[]>;

/** How much a place in one ranking counts against a place in the other: the usual constant of rank fusion. */
const FUSION = 60;
/** Meaning alone finds something for any question; below this it found nothing. */
const LEAST_LIKENESS = 0.2;

/** Finds tools by words and, when there is an embedder, by meaning too. */
export class ToolSearch {
  readonly #entries: readonly Entry[];
  readonly #words: WordIndex;
  readonly #embed: Embed | undefined;
  readonly #log: Logger;
  #vectors: Promise<readonly (readonly number[] | Float32Array)[] | undefined> | undefined;

  constructor(entries: readonly Entry[], options: { embed?: Embed | undefined; log: Logger }) {
    this.#entries = entries;
    this.#embed = options.embed;
    this.#log = options.log;
    this.#words = new WordIndex(entries.map(documentOf));
  }

  async find(query: string, limit: number): Promise<readonly Entry[]> {
    const byWords = this.#words.search(query).map(({ name }) => name);
    const byMeaning = await this.#byMeaning(query);
    const scores = new Map<string, number>();
    for (const ranking of [byWords, byMeaning]) {
      for (const [place, name] of ranking.entries()) scores.set(name, (scores.get(name) ?? 0) + 1 / (FUSION + place));
    }
    const found = this.#entries.filter(({ name }) => scores.has(name));
    return found.sort((a, b) => (scores.get(b.name) ?? 0) - (scores.get(a.name) ?? 0)).slice(0, limit);
  }

  async #byMeaning(query: string): Promise<readonly string[]> {
    if (!this.#embed) return [];
    try {
      this.#vectors ??= this.#embed(this.#entries.map(summaryOf));
      const vectors = (await this.#vectors) ?? [];
      const [asked] = await this.#embed([query]);
      if (!asked) return [];
      return this.#entries
        .map(({ name }, index) => ({ name, likeness: product(asked, vectors[index] ?? []) }))
        .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
        .sort((a, b) => b.likeness - a.likeness)
        .map(({ name }) => name);
    } catch (error) {
      // Words alone still find most things, so the search goes on without.
      this.#log.warn('tools not embedded', { error });
      this.#vectors = undefined;
      return [];
    }
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
      { text: member.keeper.key, weight: 1 },
    ],
  };
}

function summaryOf({ name, definition }: Entry): string {
  const { title, description } = textsOf(definition);
  return `${title || name.replaceAll('_', ' ')}. ${description}`.slice(0, 1_000);
}

function textsOf({ title, description, annotations }: Json): { title: string; description: string } {
  const fallback = isObject(annotations) ? annotations.title : undefined;
  return { title: String(title ?? fallback ?? ''), description: String(description ?? '') };
}

function argumentsOf({ inputSchema }: Json): string {
  if (!isObject(inputSchema) || !isObject(inputSchema.properties)) return '';
  return Object.entries(inputSchema.properties)
    .map(([key, schema]) => `${key} ${isObject(schema) ? String(schema.description ?? '') : ''}`)
    .join(' ');
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
