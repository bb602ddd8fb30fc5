import { setMaxListeners } from 'node:events';

/** Limits how much work runs at once. The rest waits in order of arrival; a caller that aborts leaves the queue. */
export class Semaphore {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#take(signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#passOn();
    }
  }

  async #take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    // One signal may have many waiters; each removes its own listener.
    if (signal) setMaxListeners(0, signal);
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(enter);
        reject(signal!.reason);
      };
      this.#waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** The slot passes directly to the next waiter: if it were free in between, a new caller could take it as well. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
