import { randomUUID } from 'node:crypto';
import type {
  EndReason,
  Limits,
  Prediction,
  SqlResult,
  SqlRunOptions,
  SqlSession,
  SqlTable,
  SqlValue,
} from '../interface.ts';
import { resolveWallMs } from '../limits.ts';
import { codeTooLong, emptyOutput, notRun, sessionOver } from '../results.ts';
import type { SessionPool } from '../session-pool.ts';
import type { Thread } from '../thread.ts';
import { threadFailure } from '../thread-failure.ts';
import type { ThreadReserve } from '../thread-reserve.ts';
import type { SqlAnswer, SqlRequest } from './tables.ts';

const ROWS_AT_ONCE = 10_000;
/** SQLite looks at the flag between rows only; a statement that finds none in this time won't. */
const GRACE_MS = 250;
const NO_ROWS = { columns: [], rows: [], rowsTruncated: false } as const;

/** SQLite in WebAssembly, in a thread, filled with the tables it was given. */
export class SqlThreadSession implements SqlSession {
  readonly id = randomUUID();
  ended: EndReason | undefined;
  readonly #pool: SessionPool;
  readonly #threads: ThreadReserve;
  readonly #limits: Limits;
  #thread: Thread | undefined;

  constructor(pool: SessionPool, threads: ThreadReserve, limits: Limits) {
    this.#pool = pool;
    this.#threads = threads;
    this.#limits = limits;
  }

  /** Fills the database. A failure is returned as a query would return it. */
  async load(tables: readonly SqlTable[]): Promise<SqlResult | undefined> {
    this.#thread = await this.#threads.take();
    for (const request of requests(this.#limits.memoryBytes, tables)) {
      const result = await this.#send(request, this.#limits.wallMs, undefined);
      if (!result.ok) return result;
    }
    return undefined;
  }

  run(sql: string, options: SqlRunOptions = {}): Promise<SqlResult> {
    return this.#pool.use(this, async () => {
      const { codeBytes, rows, outputKillBytes } = this.#limits;
      const wallMs = resolveWallMs(this.#limits, options.timeoutMs);
      const size = Buffer.byteLength(sql);
      if (size > codeBytes) return { ...codeTooLong(size, codeBytes), ...NO_ROWS };
      const maxRows = Math.min(options.maxRows ?? rows, rows);
      return this.#send({ op: 'query', sql, maxRows, maxBytes: outputKillBytes }, wallMs, options.signal);
    });
  }

  async predict(): Promise<Prediction> {
    return notRun('refused', 'SQL has no predict; use Python or JavaScript');
  }

  async interrupt(): Promise<void> {
    this.#thread?.interrupt();
  }

  async close(): Promise<void> {
    await this.#pool.leave(this, 'closed');
  }

  async end(reason: EndReason): Promise<void> {
    this.ended ??= reason;
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #send(request: SqlRequest, wallMs: number, signal: AbortSignal | undefined): Promise<SqlResult> {
    if (this.ended || !this.#thread) return { ...sessionOver(this.ended ?? 'closed'), ...NO_ROWS };
    const started = performance.now();
    const options = { wallMs, graceMs: Math.min(this.#limits.graceMs, GRACE_MS), signal };
    const outcome = await this.#thread.request<SqlAnswer>(request, [], options);
    const durationMs = performance.now() - started;
    const failure = threadFailure(outcome, this.#limits, wallMs);
    const statePreserved = 'answer' in outcome;
    if (!statePreserved) await this.#pool.leave(this, 'killed');
    const { columns, rows, rowsTruncated } = statePreserved && !failure ? outcome.answer : NO_ROWS;
    const table = { columns, rows, rowsTruncated };
    return { ok: !failure, ...emptyOutput(), durationMs, statePreserved, ...table, ...(failure && { failure }) };
  }
}

function* requests(memoryBytes: number, tables: readonly SqlTable[]): Generator<SqlRequest> {
  yield { op: 'begin', memoryBytes };
  for (const { name, columns, rows } of tables) {
    yield { op: 'table', name, columns };
    let batch: (readonly SqlValue[])[] = [];
    for (const row of rows) {
      if (batch.push(row) < ROWS_AT_ONCE) continue;
      yield { op: 'rows', rows: batch };
      batch = [];
    }
    if (batch.length > 0) yield { op: 'rows', rows: batch };
  }
  yield { op: 'loaded' };
}
