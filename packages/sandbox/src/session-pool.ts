import { busy } from './errors.ts';
import type { EndReason, RuntimeOptions } from './interface.ts';
import { IDLE_MS, MAX_SESSIONS } from './limits.ts';

interface PooledSession {
  end(reason: EndReason): Promise<void>;
}

interface PoolEntry {
  turn: Promise<unknown>;
  calls: number;
  lastUsed: number;
  timer: NodeJS.Timeout | undefined;
}

/** A session that was used this recently does not count as idle: its caller may be about to call again. */
const SETTLE_MS = 1_000;
const WAIT_MS = 30_000;
const POLL_MS = 100;

/** Bounds the number of sessions, ends idle ones, and runs one call of a session at a time. */
export class SessionPool {
  readonly #maxSessions: number;
  readonly #idleMs: number;
  readonly #entries = new Map<PooledSession, PoolEntry>();
  #entering: Promise<unknown> = Promise.resolve();

  constructor({ maxSessions = MAX_SESSIONS, idleMs = IDLE_MS }: RuntimeOptions = {}) {
    this.#maxSessions = maxSessions;
    this.#idleMs = idleMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Waits until there is room; the longest idle session is ended for it. Throws `busy` when none becomes free. */
  enter(session: PooledSession): Promise<void> {
    const entered = this.#entering.then(async () => {
      const deadline = Date.now() + WAIT_MS;
      while (this.#entries.size >= this.#maxSessions) {
        const idle = this.#longestIdle();
        if (idle) await this.leave(idle, 'replaced');
        else if (Date.now() > deadline) throw busy(this.#maxSessions);
        else await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      const entry = { turn: Promise.resolve(), calls: 0, lastUsed: Date.now(), timer: undefined };
      this.#entries.set(session, entry);
      this.#rest(session, entry);
    });
    this.#entering = entered.catch(() => {});
    return entered;
  }

  /** Runs one call of a session after the ones before it. */
  async use<Result>(session: PooledSession, call: () => Promise<Result>): Promise<Result> {
    const entry = this.#entries.get(session);
    if (!entry) return call();
    clearTimeout(entry.timer);
    entry.calls++;
    const done = entry.turn.then(call);
    entry.turn = done.catch(() => {});
    try {
      return await done;
    } finally {
      entry.calls--;
      entry.lastUsed = Date.now();
      this.#rest(session, entry);
    }
  }

  async leave(session: PooledSession, reason: EndReason): Promise<void> {
    clearTimeout(this.#entries.get(session)?.timer);
    this.#entries.delete(session);
    await session.end(reason);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((session) => this.leave(session, 'closed')));
  }

  #rest(session: PooledSession, entry: PoolEntry): void {
    if (entry.calls > 0 || this.#entries.get(session) !== entry) return;
    entry.timer = setTimeout(() => void this.leave(session, 'idle'), this.#idleMs);
    entry.timer.unref();
  }

  #longestIdle(): PooledSession | undefined {
    const settled = Date.now() - SETTLE_MS;
    return [...this.#entries]
      .filter(([, { calls, lastUsed }]) => calls === 0 && lastUsed <= settled)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed)[0]?.[0];
  }
}
