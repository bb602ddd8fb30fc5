import { setMaxListeners } from 'node:events';

/** Room for so much work at once. The rest waits in the order it came, each as long as its caller does. */
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
    // One caller may have any number of these waiting, and each takes its listener back.
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

  /** The slot goes from hand to hand: if it were free in between, a newcomer could take it as well. */
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
