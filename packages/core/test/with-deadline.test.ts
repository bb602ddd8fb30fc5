import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withDeadline } from '../src/with-deadline.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('work ends when its time is over, however much garbage is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = setInterval(runInNewContext('gc') as () => void, 5);
  const patient = new AbortController();
  try {
    const work = Array.from({ length: 50 }, () => withDeadline(100, patient.signal, untilAborted));
    for (const outcome of await Promise.allSettled(work)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } });
    }
  } finally {
    clearInterval(collect);
  }
});

test('work ends with the reason of a caller who gives up, before or meanwhile', async () => {
  await expect(withDeadline(60_000, AbortSignal.abort('before'), untilAborted)).rejects.toBe('before');
  const caller = new AbortController();
  const work = withDeadline(60_000, caller.signal, untilAborted);
  caller.abort('meanwhile');
  await expect(work).rejects.toBe('meanwhile');
});

test('work that is done in time gives what it gives', async () => {
  expect(await withDeadline(60_000, undefined, async () => 'done')).toBe('done');
});
