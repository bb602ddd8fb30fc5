import type { RateLimitAnswer, RateLimiter, RateLimiterDefinition } from '@atoll-mcp/core/storage';
import { decide, MINUTE_MS, type Spending } from '../../rules/sliding-window.ts';

/** Limits for one process. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #spent = new Map<string, Spending[]>();
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  #sweepAtMs = 0;

  constructor({ limit, windowMs = MINUTE_MS }: Omit<RateLimiterDefinition, 'name'>, now: () => number = Date.now) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#now = now;
  }

  async take(key: string, cost = 1): Promise<RateLimitAnswer> {
    const now = this.#now();
    this.#sweep(now);
    const spent = (this.#spent.get(key) ?? []).filter(({ atMs }) => atMs > now - this.#windowMs);
    const answer = decide({ spent, cost, now, limit: this.#limit, windowMs: this.#windowMs });
    if (answer.allowed && cost > 0) spent.push({ atMs: now, cost });
    this.#spent.set(key, spent);
    return answer;
  }

  async close(): Promise<void> {
    this.#spent.clear();
  }

  // Keys that were not seen for a window are forgotten, or a stream of new clients would fill the memory.
  #sweep(now: number): void {
    if (now < this.#sweepAtMs) return;
    this.#sweepAtMs = now + this.#windowMs;
    for (const [key, spent] of this.#spent) {
      if (!spent.some(({ atMs }) => atMs > now - this.#windowMs)) this.#spent.delete(key);
    }
  }
}
