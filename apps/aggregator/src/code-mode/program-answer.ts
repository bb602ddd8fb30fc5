import { isObject, type Outcome, parsedResult } from '@atoll-mcp/core';
import type { MadeCall } from './program-calls.ts';
import type { PlannedWrite } from './write-plan.ts';

export interface Answer {
  /** Its number in the activity. */
  readonly program: number;
  readonly result: unknown;
  readonly output: string;
  readonly output_truncated?: boolean;
  readonly calls: ListedCall[];
  readonly calls_total: number;
  readonly note?: string;
  readonly plan?: { readonly id: string; readonly writes: PlannedWrite[]; readonly next: string };
}

interface ListedCall extends MadeCall {
  readonly count?: number;
}

/** More calls are listed by tool and outcome: the list is read by a model. */
const MAX_LISTED = 30;

export function callsOf(made: readonly MadeCall[]): { calls: ListedCall[]; calls_total: number } {
  return { calls: made.length <= MAX_LISTED ? [...made] : grouped(made), calls_total: made.length };
}

/** The number of the program that a result of run_tools is about; none where it did not start. */
export function programOf(outcome: Outcome): number | undefined {
  if (outcome instanceof Error) return undefined;
  const { structuredContent } = parsedResult(outcome);
  const program = isObject(structuredContent) ? structuredContent.program : undefined;
  return typeof program === 'number' ? program : undefined;
}

function grouped(made: readonly MadeCall[]): ListedCall[] {
  const groups = new Map<string, { tool: string; ms: number; outcome: MadeCall['outcome']; count: number }>();
  for (const { tool, ms, outcome } of made) {
    const key = `${outcome} ${tool}`;
    const group = groups.get(key) ?? { tool, ms: 0, outcome, count: 0 };
    group.ms = Math.round((group.ms + ms) * 10) / 10;
    group.count++;
    groups.set(key, group);
  }
  const listed = [...groups.values()].sort((one, other) => other.count - one.count);
  return listed.slice(0, MAX_LISTED);
}
