import type {
  CodeExecutor,
  CodeLanguage,
  CodeOutcome,
  CodeRunner,
  RunnerEnd,
  RunOptions,
} from '../backends/interface.ts';
import { executorEnded, executorNotFound } from '../errors.ts';

export interface ExecutorRun {
  readonly outcome: CodeOutcome;
  readonly language: CodeLanguage;
  /** Ids of the memories that the executor's code has been given so far. */
  readonly inputs: readonly string[];
}

/** What the code of an executor may see. */
export interface ExecutorLimit {
  readonly collections: readonly string[];
  readonly maySee: (memoryId: string) => Promise<boolean>;
}

const MAX_ENDED = 1_000;

/** Executors by id, and how those that are over came to their end. */
export class Executors {
  readonly #runner: CodeRunner;
  readonly #newId: () => string;
  readonly #live = new Map<string, CodeExecutor>();
  readonly #over = new Map<string, RunnerEnd>();
  /** Collections that the code of an executor may see, where it may not see all. */
  readonly #limits = new Map<string, readonly string[]>();

  constructor(runner: CodeRunner, newId: () => string) {
    this.#runner = runner;
    this.#newId = newId;
  }

  /** With a limit, its code sees only memories that `maySee` says yes to. */
  async create(language: CodeLanguage, limit?: ExecutorLimit): Promise<string> {
    for (const known of [...this.#live.keys()]) this.#settle(known);
    const id = `executor-${this.#newId()}`;
    this.#live.set(id, await this.#runner.open(language, limit?.maySee));
    if (limit) this.#limits.set(id, limit.collections);
    return id;
  }

  /** An executor that a caller with this limit may not use is not there for it. */
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
    const end = this.#over.get(id);
    throw end ? executorEnded(id, end) : executorNotFound(id);
  }

  #settle(id: string): void {
    const end = this.#live.get(id)?.ended;
    if (!end) return;
    this.#live.delete(id);
    this.#remember(id, end);
  }

  #remember(id: string, end: RunnerEnd): void {
    this.#over.set(id, end);
    if (this.#over.size <= MAX_ENDED) return;
    const oldest = this.#over.keys().next().value!;
    this.#over.delete(oldest);
    this.#limits.delete(oldest);
  }
}
