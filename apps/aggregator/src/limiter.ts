import type { RequestContext } from '@atoll-mcp/core';
import { tooManyCalls } from './errors.ts';

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 10_000;

/** Lets each client make so many calls in any minute, spread as it likes. */
export class Limiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #clients = new Map<string, { left: number; at: number }>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Throws when the client has no call left. */
  take({ principal, client }: Pick<RequestContext, 'principal' | 'client'>): void {
    if (this.#perMinute === 0) return;
    const id = principal?.id ?? client.id;
    const now = this.#now();
    const known = this.#clients.get(id) ?? { left: this.#perMinute, at: now };
    const left = Math.min(this.#perMinute, known.left + ((now - known.at) / MINUTE_MS) * this.#perMinute);
    if (left < 1) throw tooManyCalls(((1 - left) / this.#perMinute) * MINUTE_MS);
    this.#clients.delete(id);
    this.#clients.set(id, { left: left - 1, at: now });
    if (this.#clients.size <= MAX_CLIENTS) return;
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined) this.#clients.delete(oldest);
  }
}
