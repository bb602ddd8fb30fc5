import type { Outcome } from '../metrics/call-metrics.ts';

const STEP_MS = 10_000;
/** One hour. */
const STEPS = 360;
/** Upper bounds of durations in milliseconds; each is the double of the one before. */
const BOUNDS = Array.from({ length: 20 }, (_, power) => 0.25 * 2 ** power);

interface Step {
  index: number;
  calls: number;
  failures: number;
  readonly durations: Uint32Array;
}

export interface SeriesPoint {
  /** Beginning of the step, in milliseconds since 1970. */
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
  /** Half of the calls took at most this many milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

/** Calls, failures and durations of each server in steps of ten seconds, for the last hour. */
export class CallSeries {
  readonly #servers = new Map<string, Step[]>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  record(server: string, verdict: Outcome, ms: number): void {
    const index = Math.floor(this.#now() / STEP_MS);
    let steps = this.#servers.get(server);
    if (!steps) {
      steps = [];
      this.#servers.set(server, steps);
    }
    let step = steps[index % STEPS];
    if (step?.index !== index) {
      step = { index, calls: 0, failures: 0, durations: new Uint32Array(BOUNDS.length) };
      steps[index % STEPS] = step;
    }
    step.calls++;
    if (verdict !== 'ok') step.failures++;
    const bin = ms <= 0.25 ? 0 : Math.min(BOUNDS.length - 1, Math.ceil(Math.log2(ms * 4)));
    step.durations[bin] = (step.durations[bin] ?? 0) + 1;
  }

  /** Points of the last minutes, each of `stepSeconds`; servers without calls are left out. */
  of(minutes: number, stepSeconds: number): Record<string, SeriesPoint[]> {
    const now = Math.floor(this.#now() / STEP_MS);
    const width = Math.max(1, Math.round((stepSeconds * 1000) / STEP_MS));
    const last = Math.floor(now / width);
    const count = Math.ceil((minutes * 60_000) / (width * STEP_MS));
    const all: Record<string, SeriesPoint[]> = {};
    for (const [server, steps] of this.#servers) {
      const points = Array.from({ length: count }, (_, at) => pointOf(steps, (last - count + 1 + at) * width, width));
      if (points.some(({ calls }) => calls > 0)) all[server] = points;
    }
    return all;
  }
}

function pointOf(steps: readonly Step[], first: number, width: number): SeriesPoint {
  const durations = new Uint32Array(BOUNDS.length);
  let calls = 0;
  let failures = 0;
  for (let index = first; index < first + width; index++) {
    const step = steps[index % STEPS];
    if (step?.index !== index) continue;
    calls += step.calls;
    failures += step.failures;
    step.durations.forEach((count, bin) => {
      durations[bin] = (durations[bin] ?? 0) + count;
    });
  }
  const quantile = (part: number) => {
    let rest = calls * part;
    const bin = durations.findIndex((count) => {
      rest -= count;
      return count > 0 && rest <= 0;
    });
    return calls === 0 ? 0 : (BOUNDS[bin] ?? 0);
  };
  return { at: first * STEP_MS, calls, failures, p50: quantile(0.5), p95: quantile(0.95) };
}
