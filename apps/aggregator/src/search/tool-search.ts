import type { Json, Logger } from '@atoll-mcp/core';
import type { Entry, Member } from '../catalog/catalog.ts';
import type { CallPrior } from './call-prior.ts';
import { type Confidence, confidenceOf } from './confidence.ts';
import { isDuplicate } from './duplicates.ts';
import { interleave } from './interleave.ts';
import { MeaningIndex, type MeaningIndexOptions } from './meaning-index.ts';
import { splitSteps } from './split-steps.ts';
import { termsOf } from './terms.ts';
import { fieldsOf, serverFields, textsOf } from './tool-texts.ts';
import { type WeightedTerms, WordIndex, weightedTerms } from './word-index.ts';

/** Shares of words, meaning, server and the request in full in a score; measured in bench/tool-recall.mjs. */
const SHARES = {
  withMeaning: { words: 0.35, server: 0.15, request: 0.2 },
  wordsOnly: { words: 1, server: 0.2, request: 0.2 },
} as const;
/** Meaning alone finds something for any question; below this it found nothing. */
const MIN_SIMILARITY = 0.2;
const NAMED_BONUS = 1;

/** How long the first search waits for vectors before it answers by words alone; those after it do not, until there are some. */
const VECTOR_WAIT_MS = 80;
/** How much longer it waits where only the model is missing, as after a restart. */
const MODEL_WAIT_FACTOR = 2.5;
/** On a busy machine the vector of a request takes a while, and is worth it: words find little of a request in another language. */
const REQUEST_WAIT_MS = 1_500;

export interface FoundTool {
  readonly entry: Entry;
  readonly confidence: Confidence;
  /** The same tool of other servers. */
  readonly alternatives: readonly Entry[];
}

export interface Found {
  readonly tools: readonly FoundTool[];
  /** False if the vectors were not ready, so that only words counted. */
  readonly usedMeaning: boolean;
}

export interface ToolSearchOptions extends MeaningIndexOptions {
  readonly log: Logger;
  /** Undefined where calls teach nothing. */
  readonly prior?: CallPrior | undefined;
  readonly waitMs?: number;
}

/** Finds tools by words and, when there is an embedder, by meaning too. */
export class ToolSearch {
  readonly #entries: readonly Entry[];
  readonly #options: ToolSearchOptions;
  /** Index of each entry's server. */
  readonly #serverOf: readonly number[];
  readonly #names: readonly (readonly string[])[];
  readonly #tools: WordIndex;
  readonly #servers: WordIndex;
  readonly #meaning: MeaningIndex;
  #isLate = false;

  constructor(entries: readonly Entry[], options: ToolSearchOptions) {
    this.#entries = entries;
    this.#options = options;
    const groups = byServer(entries);
    const places = new Map(groups.map(([member], index) => [member, index]));
    this.#serverOf = entries.map(({ member }) => places.get(member) ?? -1);
    const words = entries.map(wordsOf);
    this.#names = words.map(({ names }) => names);
    this.#tools = new WordIndex(words.map(({ terms }) => terms));
    this.#servers = new WordIndex(
      groups.map(([{ supervisor }, own]) => weightedTerms(serverFields(supervisor.key, supervisor.link, own))),
    );
    this.#meaning = new MeaningIndex(entries, groups, options);
  }

  /** Makes the vectors in the background, so that the first search need not wait for them. */
  prepare(): void {
    void this.#options.prior?.load();
    this.#meaning.prepare();
  }

  async find(request: string, limit: number): Promise<Found> {
    await this.#options.prior?.load();
    const steps = splitSteps(request);
    const texts = steps.length > 1 ? [...steps, request] : steps;
    const similarities = await this.#inTime(this.#meaning.compare(texts));
    const rows = texts.map((text, index) => this.#scores(text, similarities?.[index]));
    const whole = rows.at(-1)!;
    const { request: share } = SHARES[similarities ? 'withMeaning' : 'wordsOnly'];
    const mixed =
      rows.length === 1 ? rows : rows.map((row) => row.map((score, index) => mix(score, whole[index]!, share)));
    const picked = interleave(mixed, Math.max(limit * 2, limit + 5));
    return { tools: this.#folded(picked, limit, similarities !== undefined), usedMeaning: similarities !== undefined };
  }

  /** One score per tool; NaN where it does not fit. */
  #scores(text: string, similarities: Similarities | undefined): Float64Array {
    const words = this.#tools.scores(text);
    const serverWords = this.#servers.scores(text);
    const shares = SHARES[similarities ? 'withMeaning' : 'wordsOnly'];
    const asked = termsOf(text).join(' ');
    const taught = this.#options.prior?.bonuses(text);
    return Float64Array.from(this.#entries, (entry, index) => {
      const server = this.#serverOf[index]!;
      const similarity = similarities?.tools[index] ?? 0;
      if (words[index] === 0 && similarity < MIN_SIMILARITY) return Number.NaN;
      const ofServer = (serverWords[server] ?? 0) * shares.words + (similarities?.servers[server] ?? 0);
      const isNamed = this.#names[index]!.includes(asked);
      const bonus = isNamed ? NAMED_BONUS : (taught?.get(entry.member.supervisor.key, entry.ownName) ?? 0);
      return similarity + shares.words * words[index]! + shares.server * ofServer + bonus;
    });
  }

  #folded(picked: readonly { index: number; score: number }[], limit: number, usedMeaning: boolean): FoundTool[] {
    const found: { entry: Entry; confidence: Confidence; alternatives: Entry[] }[] = [];
    for (const { index, score } of picked) {
      const entry = this.#entries[index]!;
      const same = found.find((other) => isDuplicate(other.entry, entry));
      if (same) same.alternatives.push(entry);
      else if (found.length < limit) {
        found.push({ entry, confidence: confidenceOf(score, usedMeaning), alternatives: [] });
      }
    }
    return found;
  }

  /** Undefined if it is not there in time; the work goes on for the next search. */
  async #inTime<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const waitMs = this.#isLate ? 0 : (this.#options.waitMs ?? VECTOR_WAIT_MS);
    const late = new Promise<undefined>((resolve) => {
      const giveUp = () => {
        this.#isLate = true;
        resolve(undefined);
      };
      const giveUpUnlessModelLoads = () => {
        if (this.#meaning.hasVectors) timer = setTimeout(giveUp, waitMs * (MODEL_WAIT_FACTOR - 1));
        else giveUp();
      };
      timer = this.#meaning.isReady ? setTimeout(giveUp, REQUEST_WAIT_MS) : setTimeout(giveUpUnlessModelLoads, waitMs);
    });
    const done = work.finally(() => {
      this.#isLate = false;
    });
    const first = await Promise.race([done, late]);
    clearTimeout(timer);
    return first;
  }
}

export interface Similarities {
  readonly tools: Float64Array;
  readonly servers: Float64Array;
}

interface ToolWords {
  readonly names: readonly string[];
  readonly terms: WeightedTerms;
}

/** While servers join, each catalog has mostly the definitions of the one before it. */
const knownWords = new WeakMap<Json, ToolWords>();

function wordsOf(entry: Entry): ToolWords {
  const known = knownWords.get(entry.definition);
  if (known) return known;
  const words = { names: namesOf(entry), terms: weightedTerms(fieldsOf(entry)) };
  knownWords.set(entry.definition, words);
  return words;
}

/** The spellings that name a tool: a request that is nothing but one of them gets it first. */
function namesOf({ name, ownName, definition }: Entry): string[] {
  return [name, ownName, textsOf(definition).title]
    .filter((text) => text !== '')
    .map((text) => termsOf(text).join(' '));
}

/** A step keeps the context of its request. */
function mix(step: number, request: number, share: number): number {
  return Number.isNaN(request) ? step * (1 - share) : step * (1 - share) + request * share;
}

function byServer(entries: readonly Entry[]): (readonly [Member, readonly Entry[]])[] {
  const groups = new Map<Member, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.member);
    if (group) group.push(entry);
    else groups.set(entry.member, [entry]);
  }
  return [...groups];
}
