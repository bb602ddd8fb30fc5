/**
 * A request that its sender may take back. The signal is made only when somebody looks at it: in Node, making one and
 * listening to it costs more than everything else that is done for a small request.
 */
export class Cancellation {
  #listeners: (() => void)[] = NOBODY;
  #controller: AbortController | undefined;
  isCancelled = false;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.isCancelled) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Calls back once when it is cancelled, at once if it is already; returns how to stop listening. */
  onAbort(listener: () => void): () => void {
    if (this.isCancelled) listener();
    else if (this.#listeners === NOBODY) this.#listeners = [listener];
    else this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  /** It has been answered: nobody need hear of it any more, nor be kept in memory for it. */
  settle(): void {
    this.#listeners = NOBODY;
  }

  abort(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.#controller?.abort();
    const listeners = this.#listeners;
    this.#listeners = NOBODY;
    for (const listener of listeners) listener();
  }
}

const NOBODY: (() => void)[] = [];
