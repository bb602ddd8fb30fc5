import { busy } from './errors.ts';
import type { EndReason, RuntimeOptions } from './interface.ts';
import { IDLE_MS, MAX_SESSIONS } from './limits.ts';

export interface Member {
  end(reason: EndReason): Promise<void>;
}

interface Place {
  turn: Promise<unknown>;
  calls: number;
  lastUsed: number;
  timer: NodeJS.Timeout | undefined;
}

/** A session that was used this recently is not taken for idle: its caller may be about to call again. */
const SETTLE_MS = 1_000;
const WAIT_MS = 30_000;
const LOOK_MS = 100;

/** Who may live: bounds the number of sessions, ends idle ones, and gives each session one call at a time. */
export class SessionPool {
  readonly #maxSessions: number;
  readonly #idleMs: number;
  readonly #places = new Map<Member, Place>();
  #door: Promise<unknown> = Promise.resolve();

  constructor({ maxSessions = MAX_SESSIONS, idleMs = IDLE_MS }: RuntimeOptions = {}) {
    this.#maxSessions = maxSessions;
    this.#idleMs = idleMs;
  }

  get size(): number {
    return this.#places.size;
  }

  /** Waits its turn for a place; the longest idle session makes room. Throws `busy` when none becomes free. */
  enter(member: Member): Promise<void> {
    const entered = this.#door.then(async () => {
      const deadline = Date.now() + WAIT_MS;
      while (this.#places.size >= this.#maxSessions) {
        const idle = this.#longestIdle();
        if (idle) await this.leave(idle, 'replaced');
        else if (Date.now() > deadline) throw busy(this.#maxSessions);
        else await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      const place = { turn: Promise.resolve(), calls: 0, lastUsed: Date.now(), timer: undefined };
      this.#places.set(member, place);
      this.#rest(member, place);
    });
    this.#door = entered.catch(() => {});
    return entered;
  }

  /** Runs one call of a session after the ones before it. */
  async use<Result>(member: Member, call: () => Promise<Result>): Promise<Result> {
    const place = this.#places.get(member);
    if (!place) return call();
    clearTimeout(place.timer);
    place.calls++;
    const done = place.turn.then(call);
    place.turn = done.catch(() => {});
    try {
      return await done;
    } finally {
      place.calls--;
      place.lastUsed = Date.now();
      this.#rest(member, place);
    }
  }

  async leave(member: Member, reason: EndReason): Promise<void> {
    clearTimeout(this.#places.get(member)?.timer);
    this.#places.delete(member);
    await member.end(reason);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#places.keys()].map((member) => this.leave(member, 'closed')));
  }

  #rest(member: Member, place: Place): void {
    if (place.calls > 0 || this.#places.get(member) !== place) return;
    place.timer = setTimeout(() => void this.leave(member, 'idle'), this.#idleMs);
    place.timer.unref();
  }

  #longestIdle(): Member | undefined {
    const settled = Date.now() - SETTLE_MS;
    return [...this.#places]
      .filter(([, { calls, lastUsed }]) => calls === 0 && lastUsed <= settled)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed)[0]?.[0];
  }
}
