const UNKNOWN_WAIT_MS = 1_000;

interface Holder {
  readonly tool: string;
  readonly owner: unknown;
}

/**
 * Serializes calls of different clients where a server request cannot be attributed to its call: tools that elicit, or
 * have not been seen to finish without, run for one client at a time.
 */
export class ElicitationLock {
  readonly #holders = new Set<Holder>();
  readonly #waiting: (() => void)[] = [];
  readonly #neverElicit = new Set<string>();
  readonly #mayElicit = new Set<string>();

  /** Whether the tool has always finished without eliciting, so that its calls need no lock. */
  neverElicits(tool: string): boolean {
    return this.#neverElicit.has(tool);
  }

  /** Resolves when the call may start; returns the release function. */
  async acquire(tool: string, owner: unknown, signal: AbortSignal): Promise<() => void> {
    if (this.#neverElicit.has(tool)) return () => {};
    const holder = { tool, owner };
    const isKnown = this.#mayElicit.has(tool);
    const deadline = performance.now() + UNKNOWN_WAIT_MS;
    while (this.#isHeldByAnother(owner) && !signal.aborted) {
      const leftMs = isKnown ? undefined : deadline - performance.now();
      if (leftMs !== undefined && leftMs <= 0) break;
      await this.#waitForRelease(leftMs, signal);
    }
    this.#holders.add(holder);
    return () => {
      this.#holders.delete(holder);
      if (!this.#mayElicit.has(tool)) this.#neverElicit.add(tool);
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }

  markElicits(tool: string): void {
    this.#mayElicit.add(tool);
    this.#neverElicit.delete(tool);
  }

  #isHeldByAnother(owner: unknown): boolean {
    for (const holder of this.#holders) if (holder.owner !== owner) return true;
    return false;
  }

  #waitForRelease(timeoutMs: number | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs);
      function wake() {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve();
      }
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.push(wake);
    });
  }
}
