import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseNpy } from '@atoll-mcp/formats/npy';
import { findGranted } from '../grants.ts';
import { HostCalls, parseValue } from '../host-calls.ts';
import type {
  CodeSession,
  EndReason,
  Failure,
  FileGrants,
  Json,
  Limits,
  Prediction,
  RunOptions,
  RunResult,
  Tensor,
  TensorInput,
} from '../interface.ts';
import { resolveWallMs } from '../limits.ts';
import { codeTooLong, notRun, sessionOver } from '../results.ts';
import type { SessionPool } from '../session-pool.ts';
import { tensorProblem } from '../tensor.ts';
import type { Thread, ThreadOutcome } from '../thread.ts';
import { threadFailure } from '../thread-failure.ts';
import type { ThreadReserve } from '../thread-reserve.ts';
import type { CodeRequest, JavaScriptAnswer, JavaScriptRequest } from './machine.ts';

interface JavaScriptSessionOptions {
  readonly pool: SessionPool;
  readonly threads: ThreadReserve;
  readonly limits: Limits;
  readonly files: FileGrants | undefined;
}

/** QuickJS in a thread of its own, started with the first call. */
export class JavaScriptSession implements CodeSession {
  readonly id = randomUUID();
  ended: EndReason | undefined;
  readonly #options: JavaScriptSessionOptions;
  #thread: Thread | undefined;

  constructor(options: JavaScriptSessionOptions) {
    this.#options = options;
  }

  run(code: string, options: RunOptions = {}): Promise<RunResult> {
    const { host, returnValue = false, onOutput, collectFiles = false } = options;
    const flags = { host: host !== undefined, returnValue, streams: onOutput !== undefined, collectFiles };
    return this.#options.pool.use(this, () => this.#call({ op: 'run', code, ...flags }, options));
  }

  predict(code: string, tensors: Readonly<Record<string, TensorInput>>, options: RunOptions = {}): Promise<Prediction> {
    return this.#options.pool.use(this, async () => {
      const inputs: Record<string, Tensor> = {};
      for (const [name, tensor] of Object.entries(tensors)) {
        const loaded = 'npy' in tensor ? await loadNpy(tensor.npy).catch((error: Error) => error.message) : tensor;
        const problem = typeof loaded === 'string' ? loaded : tensorProblem(loaded);
        if (problem) return notRun('refused', `Tensor '${name}': ${problem}`);
        inputs[name] = loaded as Tensor;
      }
      return this.#call({ op: 'predict', code, tensors: inputs }, options);
    });
  }

  get isWaiting(): boolean {
    return this.#thread?.isWaiting ?? false;
  }

  async interrupt(): Promise<void> {
    this.#thread?.interrupt();
  }

  async reset(): Promise<void> {
    const { pool } = this.#options;
    await pool.use(this, async () => {
      if (this.ended) return;
      if (this.#thread && !(await this.#begin(this.#thread))) await pool.leave(this, 'killed');
    });
  }

  async close(): Promise<void> {
    await this.#options.pool.leave(this, 'closed');
  }

  async end(reason: EndReason): Promise<void> {
    this.ended ??= reason;
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #call(request: CodeRequest, { timeoutMs, signal, host, onOutput }: RunOptions): Promise<Prediction> {
    const { limits, pool } = this.#options;
    const wallMs = resolveWallMs(limits, timeoutMs);
    if (this.ended) return sessionOver(this.ended);
    const size = Buffer.byteLength(request.code);
    if (size > limits.codeBytes) return codeTooLong(size, limits.codeBytes);
    this.#thread ??= await this.#start();
    const started = performance.now();
    const outcome = await this.#thread.request<JavaScriptAnswer>(request, [], {
      wallMs,
      graceMs: limits.graceMs,
      signal,
      onOutput,
      ...(host && { calls: new HostCalls({ host, limits }) }),
    });
    const durationMs = performance.now() - started;
    const { value, problem } = returnedValue(outcome, limits);
    const failure = threadFailure(outcome, limits, wallMs) ?? problem;
    // A QuickJS that ran out of memory may break later, in another call.
    const statePreserved = 'answer' in outcome && failure?.kind !== 'memory';
    if (!statePreserved) await pool.leave(this, 'killed');
    const { stdout, stderr, truncated, tensor, files, refusedFiles } =
      'answer' in outcome ? outcome.answer : (notRun('crashed', '') as Prediction);
    const written = files && { files, refusedFiles: refusedFiles ?? [] };
    const result = { ok: !failure, stdout, stderr, truncated, durationMs, statePreserved, ...written };
    return {
      ...result,
      ...(failure ? { failure } : { ...(tensor && { tensor }), ...(value !== undefined && { value }) }),
    };
  }

  async #start(): Promise<Thread> {
    const { files, threads } = this.#options;
    const thread = await threads.take();
    await this.#begin(thread);
    thread.onFile = ({ id, name }) => findGranted(files, id, name);
    return thread;
  }

  /** An empty interpreter in the thread; false when the thread is gone. */
  async #begin(thread: Thread): Promise<boolean> {
    const { limits, files } = this.#options;
    const begin: JavaScriptRequest = { op: 'begin', options: { ...limits, fileFunction: files?.functionName } };
    const outcome = await thread.request(begin, [], { wallMs: limits.wallMs, graceMs: limits.graceMs });
    return 'answer' in outcome;
  }
}

/** The value that a run returned, if it returned one. */
function returnedValue(outcome: ThreadOutcome<JavaScriptAnswer>, limits: Limits): { value?: Json; problem?: Failure } {
  if (!('answer' in outcome) || outcome.answer.value === undefined) return {};
  const parsed = parseValue(outcome.answer.value, limits);
  return typeof parsed === 'string'
    ? { problem: { kind: 'refused', message: `The value that the code returns is refused: ${parsed}` } }
    : parsed;
}

async function loadNpy(path: string): Promise<{ [key in keyof Tensor]: unknown }> {
  const file = await readFile(path).catch(() => {
    throw new Error('its file cannot be read');
  });
  return parseNpy(file);
}
