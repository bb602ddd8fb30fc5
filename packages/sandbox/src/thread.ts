import { once } from 'node:events';
import { type TransferListItem, Worker } from 'node:worker_threads';

/** Slots of the memory that host and thread share. */
export const STOP = 0;
export const ANSWERED = 1;

export type ThreadStop = 'timeout' | 'interrupted';

export type ThreadOutcome<Answer> =
  | { readonly answer: Answer; readonly stopped?: ThreadStop }
  | { readonly gone: 'stopped' | 'memory' | 'crashed'; readonly stopped?: ThreadStop };

export interface RequestOptions {
  readonly wallMs: number;
  readonly graceMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A worker thread that answers one request at a time and can be stopped softly, by a flag, or for good. */
export class Thread {
  readonly #worker: Worker;
  readonly #flags: Int32Array;
  /** Answers what the thread asks while it is at work; the thread sleeps meanwhile. */
  onQuestion: (question: { ask: string; id: string; name: string }) => Promise<object> = async () => ({});
  #stop: ((why: ThreadStop) => void) | undefined;
  #hasEnded = false;

  static async start(script: URL): Promise<Thread> {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
    const worker = new Worker(script, { workerData: { flags }, env: {}, argv: [], execArgv: [], resourceLimits });
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
    const { wallMs, graceMs, signal } = options;
    const worker = this.#worker;
    const over = new AbortController();
    let stopped: ThreadStop | undefined;
    let killer: NodeJS.Timeout | undefined;
    const stop = (why: ThreadStop) => {
      if (stopped) return;
      stopped = why;
      Atomics.store(this.#flags, STOP, 1);
      killer = setTimeout(() => void worker.terminate(), graceMs);
    };
    this.#stop = stop;
    const timer = setTimeout(() => stop('timeout'), wallMs);
    const onAbort = () => stop('interrupted');
    signal?.addEventListener('abort', onAbort);
    Atomics.store(this.#flags, STOP, 0);
    if (signal?.aborted) onAbort();
    try {
      worker.postMessage(message, transfer);
      const outcome = await Promise.race([this.#answer<Answer>(over.signal), ended(worker, over.signal)]);
      return { ...outcome, ...(stopped && { stopped }) };
    } finally {
      over.abort();
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

  interrupt(): void {
    this.#stop?.('interrupted');
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer<Answer>(signal: AbortSignal): Promise<{ answer: Answer }> {
    return new Promise((resolve) => {
      const onMessage = async (message: { ask?: string; id: string; name: string }) => {
        if (message.ask === undefined) return resolve({ answer: message as Answer });
        this.#worker.postMessage(await this.onQuestion({ ...message, ask: message.ask }));
        Atomics.store(this.#flags, ANSWERED, 1);
        Atomics.notify(this.#flags, ANSWERED);
      };
      this.#worker.on('message', onMessage);
      signal.addEventListener('abort', () => this.#worker.off('message', onMessage));
    });
  }
}

/** How a thread came to its end. */
async function ended(worker: Worker, signal: AbortSignal): Promise<{ gone: 'stopped' | 'memory' | 'crashed' }> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) =>
      resolve({ gone: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crashed' });
    const onExit = () => setImmediate(() => resolve({ gone: 'stopped' }));
    worker.once('error', onError).once('exit', onExit);
    signal.addEventListener('abort', () => worker.off('error', onError).off('exit', onExit));
  });
}
