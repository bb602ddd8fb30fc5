/**
 * A request that its sender may take back. The signal is made only when somebody looks at it: in Node, making one and
 * listening to it costs more than everything else that is done for a small request.
 */
export class Cancellation {
  readonly #listeners = new Set<() => void>();
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
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  abort(): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.#controller?.abort();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
