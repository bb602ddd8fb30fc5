import type { RateLimitAnswer } from '@atoll-mcp/core/storage';

export const MINUTE_MS = 60_000;

export interface Spending {
  readonly atMs: number;
  readonly cost: number;
}

/** Whether `cost` still fits beside what was spent within the window that ends now. `spent` is oldest first. */
export function decide(request: {
  spent: readonly Spending[];
  cost: number;
  now: number;
  limit: number;
  windowMs: number;
}): RateLimitAnswer {
  const { spent, cost, now, limit, windowMs } = request;
  const used = spent.reduce((sum, spending) => sum + spending.cost, 0);
  if (used + cost <= limit) return { allowed: true, remaining: limit - used - cost, retryAfterMs: 0 };
  const remaining = Math.max(0, limit - used);
  if (cost > limit) return { allowed: false, remaining, retryAfterMs: Number.POSITIVE_INFINITY };
  let freed = 0;
  for (const spending of spent) {
    freed += spending.cost;
    if (used - freed + cost <= limit)
      return { allowed: false, remaining, retryAfterMs: spending.atMs + windowMs - now };
  }
  return { allowed: false, remaining, retryAfterMs: windowMs };
}
