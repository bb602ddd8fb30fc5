import { Worker } from 'node:worker_threads';
import { StorageError, type StorageErrorCode } from '@atoll-mcp/core/storage';

export interface Question {
  readonly id: number;
  readonly job: string;
  readonly argument: unknown;
}

export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: { readonly code: StorageErrorCode; readonly message: string; readonly cause: unknown };
}

interface Waiting {
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** A thread that answers questions in their order. Started by the first question, and again after it died. */
export class WorkerLink {
  readonly #url: URL;
  readonly #data: unknown;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 0;

  constructor(url: URL, data: unknown) {
    this.#url = url;
    this.#data = data;
  }

  get running(): boolean {
    return this.#worker !== undefined;
  }

  ask<T>(job: string, argument?: unknown): Promise<T> {
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // A thread at rest does not keep the program from ending; one that owes an answer does.
      worker.ref();
      worker.postMessage({ id, job, argument } satisfies Question);
    });
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { workerData: this.#data });
    worker.on('message', (answer: Answer) => this.#settle(worker, answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, undefined));
    this.#worker = worker;
    return worker;
  }

  #settle(worker: Worker, { id, value, failure }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) worker.unref();
    if (failure === undefined) waiting?.resolve(value as never);
    else waiting?.reject(new StorageError(failure.code, failure.message, { cause: failure.cause }));
  }

  #fail(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    const error = new StorageError('unavailable', 'The thread that does this work ended. Try again.', { cause });
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
