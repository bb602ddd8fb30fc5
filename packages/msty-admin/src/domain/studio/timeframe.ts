export const TIMEFRAMES = ['24h', '7d', '30d', '90d', 'all'] as const;

export type Timeframe = (typeof TIMEFRAMES)[number];

const DAYS: Readonly<Record<Timeframe, number | null>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, all: null };

/** Seconds since 1970 at which a timeframe begins; null is the beginning of time. */
export function timeframeStart(timeframe: Timeframe, now: Date): number | null {
  const days = DAYS[timeframe];
  return days === null ? null : daysAgo(days, now);
}

export function daysAgo(days: number, now: Date): number {
  return now.getTime() / 1000 - days * 86_400;
}
