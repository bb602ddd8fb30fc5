import type { CallSummary } from '../admin.ts';

export interface Bar {
  readonly call: CallSummary;
  readonly fromMs: number;
}

export interface Timeline {
  /** In the order in which the calls began. */
  readonly bars: readonly Bar[];
  readonly totalMs: number;
}

/** The calls of a program over time. Its own entries say when it began; a paused program has several of them. */
export function timelineOf(calls: readonly CallSummary[]): Timeline {
  const made = calls.filter((call) => !isProgram(call));
  const start = Math.min(...calls.map(startOf));
  const end = Math.max(...calls.map(endOf));
  const bars = made.map((call) => ({ call, fromMs: startOf(call) - start })).sort((a, b) => a.fromMs - b.fromMs);
  return { bars, totalMs: calls.length === 0 ? 0 : end - start };
}

/** Whether an entry is the run itself and not a call that it made. */
export function isProgram({ tool, program }: CallSummary): boolean {
  return program !== undefined && tool === 'run_tools';
}

const endOf = ({ at }: CallSummary) => Date.parse(at);
const startOf = (call: CallSummary) => endOf(call) - call.ms;
