/** Something with a deadline. */
export interface Timed {
  /** Zero means never. */
  readonly timeoutMs: number;
  /** By the monotonic clock. */
  expiresAt: number;
}

/** Restarts the deadline. It only moves later, so a pending timer stays valid. */
export function extendDeadline(timed: Timed): void {
  timed.expiresAt = performance.now() + timed.timeoutMs;
}

/**
 * Calls back for each expired entry. One timer serves all: a timer per call would cost more than the rest of a small
 * call.
 */
export class Deadlines<T extends Timed> {
  readonly #underway: () => readonly T[];
  readonly #expire: (timed: T) => void;
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Number.POSITIVE_INFINITY;

  constructor(underway: () => readonly T[], expire: (timed: T) => void) {
    this.#underway = underway;
    this.#expire = expire;
  }

  /** Starts or restarts the deadline of an entry. */
  add(timed: T): void {
    if (timed.timeoutMs <= 0) return;
    extendDeadline(timed);
    this.#wakeAt(timed.expiresAt);
  }

  #wakeAt(time: number): void {
    if (time >= this.#firesAt) return;
    clearTimeout(this.#timer);
    this.#firesAt = time;
    this.#timer = setTimeout(() => this.#check(), Math.max(1, Math.ceil(time - performance.now())));
    this.#timer.unref();
  }

  #check(): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const timed of this.#underway()) {
      if (timed.timeoutMs <= 0) continue;
      if (timed.expiresAt <= now) this.#expire(timed);
      else this.#wakeAt(timed.expiresAt);
    }
  }
}
