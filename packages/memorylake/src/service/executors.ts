import type {
  CodeExecutor,
  CodeLanguage,
  CodeOutcome,
  CodeRunner,
  RunnerEnd,
  RunOptions,
} from '../backends/interface.ts';
import { executorEnded, executorNotFound } from '../errors.ts';

interface ExecutorRun {
  readonly outcome: CodeOutcome;
  readonly language: CodeLanguage;
  /** Ids of the memories that the executor's code has read. */
  readonly inputs: readonly string[];
}

/** Which memories the code of an executor may read. */
export interface ExecutorLimit {
  readonly collections: readonly string[];
  readonly maySee: (memoryId: string) => Promise<boolean>;
}

const MAX_ENDED = 1_000;

/** Open executors by id, and why ended ones ended. */
export class Executors {
  readonly #runner: CodeRunner;
  readonly #newId: () => string;
  readonly #live = new Map<string, CodeExecutor>();
  readonly #ended = new Map<string, RunnerEnd>();
  /** Collections of executors that are limited to some. */
  readonly #limits = new Map<string, readonly string[]>();

  constructor(runner: CodeRunner, newId: () => string) {
    this.#runner = runner;
    this.#newId = newId;
  }

  /** With a limit, its code can read only memories that `maySee` allows. */
  async create(language: CodeLanguage, limit?: ExecutorLimit): Promise<string> {
    for (const known of [...this.#live.keys()]) this.#settle(known);
    const id = `executor-${this.#newId()}`;
    this.#live.set(id, await this.#runner.open(language, limit?.maySee));
    if (limit) this.#limits.set(id, limit.collections);
    return id;
  }

  /** Reports executors outside the limit of a caller as not found. */
  check(id: string, collections: readonly string[]): void {
    const own = this.#limits.get(id);
    if (!own?.every((name) => collections.includes(name))) throw executorNotFound(id);
  }

  async run(id: string, code: string, options: RunOptions): Promise<ExecutorRun> {
    const executor = this.#find(id);
    const outcome = await executor.run(code, options);
    this.#settle(id);
    return { outcome, language: executor.language, inputs: [...executor.inputs] };
  }

  async close(id: string): Promise<void> {
    const executor = this.#find(id);
    await executor.close();
    this.#live.delete(id);
    this.#remember(id, 'closed');
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#live.values()].map((executor) => executor.close()));
    this.#live.clear();
  }

  #find(id: string): CodeExecutor {
    this.#settle(id);
    const executor = this.#live.get(id);
    if (executor) return executor;
    const end = this.#ended.get(id);
    throw end ? executorEnded(id, end) : executorNotFound(id);
  }

  #settle(id: string): void {
    const end = this.#live.get(id)?.ended;
    if (!end) return;
    this.#live.delete(id);
    this.#remember(id, end);
  }

  #remember(id: string, end: RunnerEnd): void {
    this.#ended.set(id, end);
    if (this.#ended.size <= MAX_ENDED) return;
    const oldest = this.#ended.keys().next().value!;
    this.#ended.delete(oldest);
    this.#limits.delete(oldest);
  }
}
