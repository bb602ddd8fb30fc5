/** Something whose time runs out. */
export interface Timed {
  /** Zero means never. */
  readonly timeoutMs: number;
  /** By the monotonic clock. */
  expiresAt: number;
}

/** Begins its time anew. It never comes to an end sooner by this, so a timer that is set already may stay. */
export function extendDeadline(timed: Timed): void {
  timed.expiresAt = performance.now() + timed.timeoutMs;
}

/**
 * Calls back for each of those under way whose time is over. One timer serves all of them: one for each would cost more
 * than everything else that is done for a small call.
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

  /** Begins the time of one of those under way, or begins it anew. */
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
