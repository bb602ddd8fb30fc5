import type { RequestContext } from '@atoll-mcp/core';
import { tooManyCalls } from '../errors.ts';

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 10_000;

/** Ring buffer of a client's call times; `oldest` is overwritten next once it is full. */
interface Recent {
  readonly times: number[];
  oldest: number;
}

/** Sliding-window rate limit per client. */
export class RateLimiter {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #clients = new Map<string, Recent>();

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Throws if the client is over its limit. */
  take({ principal, client }: Pick<RequestContext, 'principal' | 'client'>): void {
    if (this.#perMinute === 0) return;
    const id = principal?.id ?? client.id;
    const recent = this.#clients.get(id) ?? { times: [], oldest: 0 };
    this.#note(recent, this.#now());
    this.#clients.delete(id);
    this.#clients.set(id, recent);
    if (this.#clients.size <= MAX_CLIENTS) return;
    const [longestSilent] = this.#clients.keys();
    if (longestSilent !== undefined) this.#clients.delete(longestSilent);
  }

  #note(recent: Recent, now: number): void {
    const { times, oldest } = recent;
    if (times.length < this.#perMinute) return void times.push(now);
    const restMs = (times[oldest] ?? 0) + MINUTE_MS - now;
    if (restMs > 0) throw tooManyCalls(restMs);
    times[oldest] = now;
    recent.oldest = (oldest + 1) % this.#perMinute;
  }
}
