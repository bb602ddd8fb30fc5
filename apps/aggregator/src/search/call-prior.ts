import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject, type Logger, parseJson } from '@atoll-mcp/core';
import { termsOf } from './terms.ts';

/** The most that past calls add to a score: enough to decide between tools that fit about equally. */
const MAX_BONUS = 0.08;
const MAX_TOOLS = 2_000;
const MAX_TERMS = 60;
const MAX_COUNT = 20;
const MAX_SEARCHES = 200;
const SEARCH_LIFE_MS = 10 * 60_000;
const SAVE_WAIT_MS = 2_000;

interface PastSearch {
  readonly client: string;
  readonly request: string;
  readonly tools: ReadonlySet<string>;
  readonly at: number;
}

/**
 * What calls that succeeded after a search teach: which words led to which tool. Words are kept as hashes, in a private file, and
 * never leave this machine.
 */
export class CallPrior {
  readonly #file: string;
  readonly #log: Logger;
  readonly #now: () => number;
  /** Tool → hash of a word → how often it led there. */
  readonly #counts = new Map<string, Map<string, number>>();
  #searches: PastSearch[] = [];
  #timer: NodeJS.Timeout | undefined;
  #loaded: Promise<void> | undefined;

  constructor(file: string, log: Logger, now: () => number = Date.now) {
    this.#file = file;
    this.#log = log;
    this.#now = now;
  }

  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  searched(client: string, request: string, tools: readonly { server: string; tool: string }[]): void {
    const now = this.#now();
    const recent = this.#searches.filter(({ at }) => now - at < SEARCH_LIFE_MS).slice(-MAX_SEARCHES + 1);
    const shown = new Set(tools.map(({ server, tool }) => keyOf(server, tool)));
    this.#searches = [...recent, { client, request, tools: shown, at: now }];
  }

  /** Learns from the caller's latest search that showed this tool; calls of tools it was not shown teach nothing. */
  succeeded(client: string, server: string, tool: string): void {
    if (this.#searches.length === 0) return;
    const key = keyOf(server, tool);
    const now = this.#now();
    const search = this.#searches.findLast(
      (each) => each.client === client && each.tools.has(key) && now - each.at < SEARCH_LIFE_MS,
    );
    if (!search) return;
    const counts = this.#counts.get(key) ?? new Map<string, number>();
    this.#counts.delete(key);
    this.#counts.set(key, counts);
    for (const term of hashedTerms(search.request)) {
      const count = Math.min(MAX_COUNT, (counts.get(term) ?? 0) + 1);
      counts.delete(term);
      counts.set(term, count);
      if (counts.size > MAX_TERMS) counts.delete(counts.keys().next().value ?? '');
    }
    if (this.#counts.size > MAX_TOOLS) this.#counts.delete(this.#counts.keys().next().value ?? '');
    this.#timer ??= setTimeout(() => void this.save(), SAVE_WAIT_MS).unref();
  }

  /** What each tool gains for a request. */
  bonuses(request: string): { get(server: string, tool: string): number } {
    const terms = this.#counts.size === 0 ? [] : hashedTerms(request);
    return {
      get: (server, tool) => {
        const counts = terms.length === 0 ? undefined : this.#counts.get(keyOf(server, tool));
        if (!counts) return 0;
        const weight = terms.reduce((sum, term) => sum + Math.min(1, (counts.get(term) ?? 0) / 3), 0);
        return (MAX_BONUS * weight) / terms.length;
      },
    };
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    const stored = Object.fromEntries([...this.#counts].map(([key, counts]) => [key, Object.fromEntries(counts)]));
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(`${this.#file}.${process.pid}`, JSON.stringify(stored), { mode: 0o600 });
      await rename(`${this.#file}.${process.pid}`, this.#file);
    } catch (error) {
      this.#log.warn('what searches taught was not saved', { error });
    }
  }

  async #load(): Promise<void> {
    try {
      const stored = parseJson(await readFile(this.#file, 'utf8'));
      for (const [key, counts] of Object.entries(isObject(stored) ? stored : {})) {
        if (!isObject(counts)) continue;
        const valid = Object.entries(counts).filter(
          (pair): pair is [string, number] => typeof pair[1] === 'number' && pair[1] > 0 && pair[1] <= MAX_COUNT,
        );
        this.#counts.set(key, new Map(valid));
      }
    } catch {
      // A missing or damaged file costs only what it had learned.
    }
  }
}

const keyOf = (server: string, tool: string) => JSON.stringify([server, tool]);

function hashedTerms(request: string): string[] {
  return [...new Set(termsOf(request))].map((term) =>
    createHash('sha256').update(term).digest('base64url').slice(0, 10),
  );
}
