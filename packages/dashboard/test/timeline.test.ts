import { expect, test } from 'vitest';
import { timelineOf } from '../web/src/lib/programs/timeline.ts';

const call = (id: number, tool: string, endMs: number, ms: number) => ({
  ...{ id, tool, name: tool, ms, program: 4, server: 's', caller: 'c', outcome: 'ok' as const },
  ...{ sent_chars: 0, answer_chars: 0, about_tokens: 0, at: new Date(1_000_000 + endMs).toISOString() },
});

test('calls are placed by when they began, after the beginning of the program', () => {
  const calls = [call(9, 'run_tools', 500, 500), call(8, 'late', 450, 100), call(7, 'early', 300, 250)];
  const { bars, totalMs } = timelineOf(calls);
  expect(bars.map(({ call: { name }, fromMs }) => [name, fromMs])).toEqual([
    ['early', 50],
    ['late', 350],
  ]);
  expect(totalMs).toBe(500);
});

test('a program that waited for a confirmation has several entries of its own', () => {
  const calls = [call(9, 'run_tools', 5_000, 100), call(8, 'write', 4_980, 50), call(7, 'run_tools', 200, 200)];
  expect(timelineOf(calls)).toMatchObject({ totalMs: 5_000, bars: [{ fromMs: 4_930 }] });
});

test('without calls there is nothing', () => {
  expect(timelineOf([])).toEqual({ bars: [], totalMs: 0 });
});
