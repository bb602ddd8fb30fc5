import { inBrowser } from './kept.ts';

const KEY = 'atoll.start';

/** Whether this browser shows the first steps: not yet known, open, or done with. */
export type StartState = 'unknown' | 'open' | 'done';

export function startState(): StartState {
  const kept = inBrowser.get(KEY);
  return kept === 'open' || kept === 'done' ? kept : 'unknown';
}

export function keepStartState(state: 'open' | 'done'): void {
  inBrowser.set(KEY, state);
}
