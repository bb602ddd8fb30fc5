const UNKNOWN_WAIT_MS = 1_000;

interface Guest {
  readonly tool: string;
  readonly owner: unknown;
}

/**
 * Keeps calls of different clients apart where a question could not be traced to its call: tools that are known to ask,
 * or not yet known not to, run for one client at a time. Tools that have answered without asking run freely.
 */
export class Lanes {
  readonly #inside = new Set<Guest>();
  readonly #waiting: (() => void)[] = [];
  readonly #quiet = new Set<string>();
  readonly #asking = new Set<string>();

  /** Whether the tool has always answered without asking, so that its calls need not enter. */
  isQuiet(tool: string): boolean {
    return this.#quiet.has(tool);
  }

  /** Resolves when the call may go; the returned function is called when it has ended. */
  async enter(tool: string, owner: unknown, signal: AbortSignal): Promise<() => void> {
    if (this.#quiet.has(tool)) return () => {};
    const guest = { tool, owner };
    const isKnown = this.#asking.has(tool);
    const deadline = performance.now() + UNKNOWN_WAIT_MS;
    while (this.#isTaken(owner) && !signal.aborted) {
      const leftMs = isKnown ? undefined : deadline - performance.now();
      if (leftMs !== undefined && leftMs <= 0) break;
      await this.#change(leftMs, signal);
    }
    this.#inside.add(guest);
    return () => {
      this.#inside.delete(guest);
      if (!this.#asking.has(tool)) this.#quiet.add(tool);
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }

  asked(tool: string): void {
    this.#asking.add(tool);
    this.#quiet.delete(tool);
  }

  #isTaken(owner: unknown): boolean {
    for (const guest of this.#inside) if (guest.owner !== owner) return true;
    return false;
  }

  #change(timeoutMs: number | undefined, signal: AbortSignal): Promise<void> {
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
