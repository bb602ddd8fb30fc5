import type { BackendState, Embedder, EmbeddingBackend, EmbedOptions } from '../backends/interface.ts';
import type { EmbeddedText, TokenCount } from '../domain/embedded-text.ts';
import type { ModelFacts } from '../domain/models/model-facts.ts';
import { tokensNotCounted, wrongVectors } from '../errors.ts';

type Priority = 'interactive' | 'bulk';

/** A text that a call waits for; equal texts of several callers are one job. */
interface Job {
  readonly key: string;
  readonly text: string;
  readonly normalize: boolean;
  readonly waiters: Set<Waiter>;
  priority: Priority;
  run?: Run;
}

interface Waiter {
  done(key: string, embedded: EmbeddedText): void;
  failed(error: unknown): void;
}

interface Run {
  readonly jobs: readonly Job[];
  readonly controller: AbortController;
}

// So much interactive work may pass before bulk work gets a turn, or a busy client would starve an import.
const INTERACTIVE_RUNS_IN_A_ROW = 8;

/** One queue before one backend: interactive before bulk, equal texts once, abandoned texts never. */
export class TextQueue implements Embedder {
  readonly #backend: EmbeddingBackend;
  readonly #jobs = new Map<string, Job>();
  readonly #waiting = { interactive: new Set<Job>(), bulk: new Set<Job>() };
  #running = 0;
  #interactiveRuns = 0;

  constructor(backend: EmbeddingBackend) {
    this.#backend = backend;
  }

  get model(): ModelFacts {
    return this.#backend.model;
  }

  get identity(): string {
    return this.#backend.model.identity;
  }

  get dimensions(): number {
    return this.#backend.model.dimensions;
  }

  get pending(): number {
    return this.#jobs.size;
  }

  state(): BackendState {
    return this.#backend.state();
  }

  load(): Promise<void> {
    return this.#backend.load();
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  async countTokens(texts: readonly string[]): Promise<readonly TokenCount[]> {
    if (!this.#backend.countTokens) throw tokensNotCounted(this.#backend.state().name);
    return this.#backend.countTokens(texts);
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array<ArrayBuffer>[]> {
    // Copies: a text that several callers wait for is computed once, but each may change what it gets.
    return (await this.embedTexts(texts, options)).map(({ vector }) => vector.slice());
  }

  embedTexts(texts: readonly string[], options: EmbedOptions = {}): Promise<EmbeddedText[]> {
    const { normalize = true, priority = 'interactive', signal, onProgress } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (texts.length === 0) return Promise.resolve([]);
    const keys = texts.map((text) => (normalize ? `unit:${text}` : `pooled:${text}`));
    const results = new Map<string, EmbeddedText>();
    const total = new Set(keys).size;

    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        done(key, embedded) {
          results.set(key, embedded);
          onProgress?.(results.size, total);
          if (results.size < total) return;
          signal?.removeEventListener('abort', abandon);
          resolve(keys.map((each) => results.get(each)!));
        },
        failed: (error) => {
          signal?.removeEventListener('abort', abandon);
          this.#leave(waiter, keys);
          reject(error);
        },
      };
      const abandon = () => waiter.failed(signal?.reason);
      signal?.addEventListener('abort', abandon, { once: true });
      const order = priority === 'bulk' && this.#backend.perRun.byLength ? longestFirst(texts) : texts.keys();
      for (const index of order) this.#join(waiter, keys[index]!, texts[index]!, normalize, priority);
      this.#startRuns();
    });
  }

  #join(waiter: Waiter, key: string, text: string, normalize: boolean, priority: Priority): void {
    let job = this.#jobs.get(key);
    if (!job) {
      job = { key, text, normalize, waiters: new Set(), priority };
      this.#jobs.set(key, job);
      this.#waiting[priority].add(job);
    } else if (priority === 'interactive' && this.#waiting.bulk.delete(job)) {
      job.priority = priority;
      this.#waiting.interactive.add(job);
    }
    job.waiters.add(waiter);
  }

  #leave(waiter: Waiter, keys: readonly string[]): void {
    for (const key of keys) {
      const job = this.#jobs.get(key);
      if (!job?.waiters.delete(waiter) || job.waiters.size > 0) continue;
      if (this.#waiting[job.priority].delete(job)) this.#jobs.delete(key);
      else if (job.run?.jobs.every(({ waiters }) => waiters.size === 0)) this.#abort(job.run);
    }
  }

  #abort(run: Run): void {
    // Whoever asks for one of these texts from now on must not join a run that is being stopped.
    for (const { key } of run.jobs) this.#jobs.delete(key);
    run.controller.abort();
  }

  #startRuns(): void {
    while (this.#running < this.#backend.maxConcurrentRuns) {
      const jobs = this.#nextJobs();
      if (jobs.length === 0) return;
      const run: Run = { jobs, controller: new AbortController() };
      for (const job of jobs) job.run = run;
      this.#running++;
      void this.#perform(run).finally(() => {
        this.#running--;
        this.#startRuns();
      });
    }
  }

  /** The next jobs that fit into one run; all of one priority and one form. */
  #nextJobs(): Job[] {
    const { interactive, bulk } = this.#waiting;
    const isBulkTurn = interactive.size === 0 || (bulk.size > 0 && this.#interactiveRuns >= INTERACTIVE_RUNS_IN_A_ROW);
    this.#interactiveRuns = isBulkTurn ? 0 : this.#interactiveRuns + 1;
    const waiting = isBulkTurn ? bulk : interactive;
    const { texts, characters, spread } = this.#backend.perRun;
    const freeRuns = spread ? this.#backend.maxConcurrentRuns - this.#running : 1;
    const share = Math.min(texts, Math.ceil(waiting.size / freeRuns));
    const jobs: Job[] = [];
    let taken = 0;
    for (const job of waiting) {
      taken += job.text.length;
      if (jobs.length > 0 && (jobs.length >= share || taken > characters || job.normalize !== jobs[0]!.normalize))
        break;
      waiting.delete(job);
      jobs.push(job);
    }
    return jobs;
  }

  async #perform({ jobs, controller }: Run): Promise<void> {
    try {
      const texts = jobs.map(({ text }) => text);
      const options = { normalize: jobs[0]!.normalize, signal: controller.signal };
      const embedded = await this.#backend.embed(texts, options);
      this.#check(embedded, texts.length);
      for (const [index, job] of jobs.entries()) {
        this.#forget(job);
        for (const waiter of job.waiters) waiter.done(job.key, embedded[index]!);
      }
    } catch (error) {
      for (const job of jobs) {
        this.#forget(job);
        for (const waiter of [...job.waiters]) waiter.failed(error);
      }
    }
  }

  #forget(job: Job): void {
    if (this.#jobs.get(job.key) === job) this.#jobs.delete(job.key);
  }

  #check(embedded: readonly EmbeddedText[], expected: number): void {
    if (embedded.length !== expected) throw wrongVectors(`${embedded.length} vectors for ${expected} texts`);
    const odd = embedded.find(({ vector }) => vector.length !== this.dimensions);
    if (odd) throw wrongVectors(`${odd.vector.length} dimensions instead of ${this.dimensions}`);
  }
}

/** Texts of one length share a run the better, and no thread is left alone with a long one at the end. */
function longestFirst(texts: readonly string[]): number[] {
  return [...texts.keys()].sort((a, b) => texts[b]!.length - texts[a]!.length);
}
