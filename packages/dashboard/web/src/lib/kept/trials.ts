import { inTab } from './kept.ts';

/** What a person tried, kept in this tab so that it can be tried again. */
export interface Trial {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly isError: boolean;
  readonly ms: number;
  readonly at: number;
}

const KEY = 'atoll.trials';
const MOST = 20;
const LONGEST = 20_000;

export function recall(tool: string): readonly Trial[] {
  return all().filter((trial) => trial.tool === tool);
}

export function remember(trial: Trial): readonly Trial[] {
  const others = all();
  // Bytes of a file would fill the tab's store at once.
  const kept = JSON.stringify(trial.args).length > LONGEST ? { ...trial, args: {} } : trial;
  const own = [kept, ...others.filter(({ tool }) => tool === trial.tool)].slice(0, MOST);
  inTab.set(KEY, JSON.stringify([...own, ...others.filter(({ tool }) => tool !== trial.tool)].slice(0, 200)));
  return own;
}

function all(): Trial[] {
  try {
    return JSON.parse(inTab.get(KEY) ?? '[]') as Trial[];
  } catch {
    return [];
  }
}
