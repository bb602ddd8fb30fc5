import { outOfRange } from './errors.ts';
import type { Language, Limits, SessionOptions } from './interface.ts';

const kB = 1024;
const MB = 1024 * kB;
const GB = 1024 * MB;

/** default, least, most */
const RANGES = {
  wallMs: [30_000, 1, 600_000],
  graceMs: [2_000, 0, 30_000],
  memoryBytes: [2 * GB, 16 * MB, 8 * GB],
  outputBytes: [64 * kB, 0, MB],
  outputKillBytes: [16 * MB, 64 * kB, 256 * MB],
  scratchBytes: [256 * MB, MB, 4 * GB],
  codeBytes: [256 * kB, 1, 4 * MB],
  resultBytes: [64 * MB, 8, GB],
  rows: [10_000, 1, 1_000_000],
  hostCalls: [1_000, 0, 100_000],
  hostCallsAtOnce: [16, 1, 256],
  jsonBytes: [8 * MB, kB, 64 * MB],
  outputFiles: [32, 0, 256],
  outputFileBytes: [32 * MB, 0, 256 * MB],
} as const satisfies Record<keyof Limits, readonly [number, number, number]>;

/** Of JavaScript and SQL, whose threads are made ready for it in advance. */
export const DEFAULT_MEMORY_BYTES = 128 * MB;
export const MAX_SESSIONS = 8;
export const IDLE_MS = 15 * 60_000;

/** The one place where limits come from. Values out of range are rejected, not clamped. */
export function resolveLimits(language: Language, { purpose, limits = {} }: SessionOptions = {}): Limits {
  const memoryBytes = language !== 'python' ? DEFAULT_MEMORY_BYTES : purpose === 'prediction' ? GB : 2 * GB;
  const entries = (Object.keys(RANGES) as (keyof Limits)[]).map((name) => {
    const [usual, min, max] = RANGES[name];
    const value = limits[name] ?? (name === 'memoryBytes' ? memoryBytes : usual);
    return [name, checked(name, value, min, max)];
  });
  return Object.fromEntries(entries) as Record<keyof Limits, number>;
}

/** The wall time of one call: the session's, unless the call brings its own. */
export function resolveWallMs(limits: Limits, timeoutMs: number | undefined): number {
  const [, min, max] = RANGES.wallMs;
  return timeoutMs === undefined ? limits.wallMs : checked('timeoutMs', timeoutMs, min, max);
}

function checked(name: string, value: number, min: number, max: number): number {
  if (!(value >= min && value <= max)) throw outOfRange(name, value, min, max);
  return Math.floor(value);
}
