import { once } from 'node:events';
import { type TransferListItem, Worker } from 'node:worker_threads';
import type { HostCalls } from './host-calls.ts';
import { decodeFromThread, type FileQuestion, type FileReply, type ToThread } from './thread-messages.ts';
import type { WasmModule } from './wasm.ts';

/** Indexes of the flags in the memory that host and thread share. */
export const STOP = 0;
export const ANSWERED = 1;
export const WAITING = 2;

/** What a thread begins with. */
export interface ThreadData {
  readonly flags: Int32Array;
  readonly wasm: WasmModule;
}

type ThreadStop = 'timeout' | 'interrupted';

export type ThreadOutcome<Answer> =
  | { readonly answer: Answer; readonly stopped?: ThreadStop }
  | { readonly gone: 'stopped' | 'memory' | 'crashed'; readonly stopped?: ThreadStop };

export interface RequestOptions {
  readonly wallMs: number;
  readonly graceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Answers calls of host functions; without it the thread makes none. */
  readonly calls?: HostCalls | undefined;
  readonly onOutput?: ((stream: 'stdout' | 'stderr', text: string) => void) | undefined;
}

/** A worker thread that answers one request at a time and can be stopped softly, by a flag, or for good. */
export class Thread {
  readonly #worker: Worker;
  readonly #flags: Int32Array;
  /** Answers questions for a file; the thread sleeps meanwhile. */
  onFile: (question: FileQuestion) => Promise<FileReply> = async () => ({ error: 'No such file' });
  #stop: ((why: ThreadStop) => void) | undefined;
  #hasEnded = false;

  static async start(script: URL, wasm: WasmModule): Promise<Thread> {
    const flags = new Int32Array(new SharedArrayBuffer(12));
    const workerData: ThreadData = { flags, wasm };
    const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
    const worker = new Worker(script, { workerData, env: {}, argv: [], execArgv: [], resourceLimits });
    await once(worker, 'message'); // it is ready; an error on the way is thrown
    return new Thread(worker, flags);
  }

  private constructor(worker: Worker, flags: Int32Array) {
    this.#worker = worker;
    this.#flags = flags;
    worker.on('error', () => {});
    worker.once('exit', () => {
      this.#hasEnded = true;
    });
  }

  async request<Answer>(
    message: object,
    transfer: TransferListItem[],
    options: RequestOptions,
  ): Promise<ThreadOutcome<Answer>> {
    if (this.#hasEnded) return { gone: 'crashed' };
    const { wallMs, graceMs, signal, calls } = options;
    const worker = this.#worker;
    const over = new AbortController();
    let stopped: ThreadStop | undefined;
    let killer: NodeJS.Timeout | undefined;
    const stop = (why: ThreadStop) => {
      if (stopped) return;
      stopped = why;
      Atomics.store(this.#flags, STOP, 1);
      this.#post({ type: 'stop' });
      calls?.end();
      killer = setTimeout(() => void worker.terminate(), graceMs);
    };
    this.#stop = stop;
    const timer = setTimeout(() => stop('timeout'), wallMs);
    const onAbort = () => stop('interrupted');
    signal?.addEventListener('abort', onAbort);
    Atomics.store(this.#flags, STOP, 0);
    if (signal?.aborted) onAbort();
    try {
      const answer = this.#answer<Answer>(options, over.signal);
      this.#post({ type: 'request', request: message }, transfer);
      const outcome = await Promise.race([answer, ended(worker, over.signal)]);
      return { ...outcome, ...(stopped && { stopped }) };
    } finally {
      over.abort();
      calls?.end();
      clearTimeout(timer);
      clearTimeout(killer);
      signal?.removeEventListener('abort', onAbort);
      this.#stop = undefined;
    }
  }

  /** A thread in reserve must not keep a program from ending. */
  keepProgramAlive(isWanted: boolean): void {
    if (isWanted) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Whether the code of the thread does nothing but wait for results of its calls. */
  get isWaiting(): boolean {
    return Atomics.load(this.#flags, WAITING) === 1;
  }

  interrupt(): void {
    this.#stop?.('interrupted');
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Settles with the answer; until then serves what the thread asks for. */
  #answer<Answer>({ calls, onOutput }: RequestOptions, over: AbortSignal): Promise<{ answer: Answer }> {
    return new Promise((resolve) => {
      const onMessage = async (untrusted: unknown) => {
        try {
          const message = decodeFromThread(untrusted);
          if (message.type === 'answer') return resolve({ answer: message.answer as Answer });
          if (message.type === 'output') return onOutput?.(message.stream, message.text);
          if (message.type === 'file') return await this.#replyToFile(message);
          const outcome = (await calls?.run(message.name, message.args)) ?? { ok: false, error: 'No host functions' };
          if (over.aborted) return;
          Atomics.store(this.#flags, WAITING, 0);
          this.#post({ type: 'result', call: message.call, ...outcome });
        } catch {
          void this.terminate();
        }
      };
      this.#worker.on('message', onMessage);
      over.addEventListener('abort', () => this.#worker.off('message', onMessage));
    });
  }

  async #replyToFile(question: FileQuestion): Promise<void> {
    this.#post({ type: 'file', reply: await this.onFile(question) });
    Atomics.store(this.#flags, ANSWERED, 1);
    Atomics.notify(this.#flags, ANSWERED);
  }

  #post(message: ToThread, transfer: TransferListItem[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

/** How a thread ended. */
async function ended(worker: Worker, signal: AbortSignal): Promise<{ gone: 'stopped' | 'memory' | 'crashed' }> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) =>
      resolve({ gone: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crashed' });
    const onExit = () => setImmediate(() => resolve({ gone: 'stopped' }));
    worker.once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', () => worker.off('error', onError).off('exit', onExit));
  });
}
