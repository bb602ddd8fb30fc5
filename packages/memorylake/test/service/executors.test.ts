import { expect, test } from 'vitest';
import type { CodeExecutor, CodeRunner, RunnerEnd } from '../../src/backends/interface.ts';
import { Executors } from '../../src/service/executors.ts';

/** A runner that lives in memory and whose executors end when they are told to. */
function memoryRunner() {
  const opened: (CodeExecutor & { ended: RunnerEnd | undefined })[] = [];
  const runner: CodeRunner = {
    async open() {
      const executor: (typeof opened)[number] = {
        language: 'python',
        inputs: new Set(),
        ended: undefined,
        run: async (code) => ({
          ok: true,
          stdout: code,
          stderr: '',
          truncated: false,
          durationMs: 0,
          statePreserved: true,
          files: [],
          refusedFiles: [],
        }),
        close: async () => {
          executor.ended = 'closed';
        },
      };
      opened.push(executor);
      return executor;
    },
    query: async () => ({ columns: [], rows: [], truncated: false }),
    close: async () => {},
  };
  return { runner, opened };
}

test('executors that ended unused are let go when another is made', async () => {
  const { runner, opened } = memoryRunner();
  let count = 0;
  const executors = new Executors(runner, () => String(++count));
  const id = await executors.create('python');
  opened[0]!.ended = 'expired';
  let isAsked = false;
  await executors.create('python');
  opened[0]!.close = async () => {
    isAsked = true;
  };
  await executors.closeAll();
  expect(isAsked).toBe(false);
  await expect(executors.run(id, 'x', {})).rejects.toMatchObject({ code: 'EXECUTOR_EXPIRED' });
});

test.each([
  ['expired', 'EXECUTOR_EXPIRED', 'unused for too long'],
  ['killed', 'EXECUTOR_KILLED', 'over a limit'],
] as const)('an executor that %s is told from one that never was', async (end, code, words) => {
  const { runner, opened } = memoryRunner();
  let count = 0;
  const executors = new Executors(runner, () => String(++count));
  const id = await executors.create('python');
  expect((await executors.run(id, 'x', {})).outcome.stdout).toBe('x');
  opened[0]!.ended = end;
  await expect(executors.run(id, 'x', {})).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  await expect(executors.close(id)).rejects.toMatchObject({ code });
  await expect(executors.run('executor-9', 'x', {})).rejects.toMatchObject({ code: 'EXECUTOR_NOT_FOUND' });
});
