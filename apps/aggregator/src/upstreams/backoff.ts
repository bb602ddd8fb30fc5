const FIRST_MS = 250;
const MAX_MS = 30_000;
/** A connection that lasted this long resets the backoff, so the next loss is followed by an immediate restart. */
const RESET_AFTER_MS = 10_000;
/** After this many consecutive failures a call no longer triggers a start. */
const MAX_EAGER_FAILURES = 5;
const BETWEEN_ATTEMPTS_MS = 500;

/** Exponential backoff with jitter: immediate after the first loss, then increasing. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #upSince = 0;
  #lastAttempt = Number.NEGATIVE_INFINITY;
  #nextAttempt = 0;
  starts = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  begun(): void {
    this.#lastAttempt = performance.now();
  }

  succeeded(): void {
    this.starts++;
    this.#upSince = performance.now();
  }

  /** The connection was lost. Returns how long to wait before the next start. */
  lost(): number {
    if (performance.now() - this.#upSince > RESET_AFTER_MS) this.#failures = 0;
    return this.#failures++ === 0 ? 0 : this.#schedule();
  }

  /** A start failed. Returns how long to wait before the next. */
  failed(): number {
    this.#failures++;
    return this.#schedule();
  }

  /** How long a call has to wait. Calls may trigger a start before the timer does, up to a limit. */
  restMs(): number {
    const now = performance.now();
    if (this.#failures >= MAX_EAGER_FAILURES) return Math.max(0, Math.min(this.#nextAttempt - now, 5_000));
    return Math.max(0, this.#lastAttempt + BETWEEN_ATTEMPTS_MS - now);
  }

  #schedule(): number {
    const waitMs = Math.min(FIRST_MS * 2 ** Math.min(this.#failures - 1, 16), MAX_MS) * (0.75 + this.#random() / 2);
    this.#nextAttempt = performance.now() + waitMs;
    return waitMs;
  }
}
