/**
 * A request that its sender may cancel. The signal is created only when it is read: in Node, making one and
 * listening to it costs more than everything else that is done for a small request.
 */
export class Cancellation {
  #listeners: (() => void)[] = NO_LISTENERS;
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
    else if (this.#listeners === NO_LISTENERS) this.#listeners = [listener];
    else this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  /** It has been answered: listeners are dropped, so that they are not kept in memory. */
  settle(): void {
    this.#listeners = NO_LISTENERS;
  }

  abort(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.#controller?.abort();
    const listeners = this.#listeners;
    this.#listeners = NO_LISTENERS;
    for (const listener of listeners) listener();
  }
}

const NO_LISTENERS: (() => void)[] = [];
