import { expect, test } from 'vitest';
import { Semaphore } from '../src/semaphore.ts';

/** Work that lasts until it is told to end, and is counted while it lasts. */
function countedWork() {
  const ends: (() => void)[] = [];
  const counted = { now: 0, most: 0, ends, work };
  async function work(): Promise<void> {
    counted.most = Math.max(counted.most, ++counted.now);
    await new Promise<void>((resolve) => ends.push(resolve));
    counted.now--;
  }
  return counted;
}

test('one who comes while a slot changes hands waits like everyone', async () => {
  const slots = new Semaphore(1);
  const counted = countedWork();
  const first = slots.run(counted.work);
  const second = slots.run(counted.work);
  await expect.poll(() => counted.now).toBe(1);
  counted.ends[0]!();
  // As early as anyone can know that the first is over.
  const third = first.then(() => slots.run(counted.work));
  await expect.poll(() => counted.ends.length).toBe(2);
  counted.ends[1]!();
  await second;
  await expect.poll(() => counted.ends.length).toBe(3);
  counted.ends[2]!();
  await third;
  expect(counted.most).toBe(1);
});

test('the wait is in the order of arrival, and a failure gives its slot on', async () => {
  const slots = new Semaphore(1);
  const order: number[] = [];
  const calls = [1, 2, 3].map((number) =>
    slots.run(async () => {
      order.push(number);
      if (number === 1) throw new Error('failed');
    }),
  );
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(order).toEqual([1, 2, 3]);
});

test('who gives up leaves the queue at once, and takes no slot along', async () => {
  const slots = new Semaphore(1);
  const counted = countedWork();
  const caller = new AbortController();
  const first = slots.run(counted.work);
  const queued = slots.run(counted.work, caller.signal);
  const last = slots.run(async () => 'done');
  caller.abort(new Error('enough'));
  await expect(queued).rejects.toThrow('enough');
  await expect(slots.run(counted.work, caller.signal)).rejects.toThrow('enough');
  counted.ends[0]!();
  await first;
  expect(await last).toBe('done');
  expect(await slots.run(async () => 'free again')).toBe('free again');
  expect(counted.ends).toHaveLength(1);
});
