import { expect, test } from 'vitest';
import { RateLimiter } from '../src/access/rate-limiter.ts';

const ada = { client: { id: 'ada' } };

test('no minute has more calls than are allowed, wherever it begins', () => {
  let now = 0;
  const limiter = new RateLimiter(3, () => now);
  const taken: number[] = [];
  for (; now < 300_000; now += 1_000) {
    try {
      limiter.take(ada);
      taken.push(now);
    } catch {}
  }
  const most = taken.map((start) => taken.filter((at) => at >= start && at < start + 60_000).length);
  expect(Math.max(...most)).toBe(3);
  expect(taken).toHaveLength(15);
});

test('who has to wait is told how long, and may then call', () => {
  let now = 0;
  const limiter = new RateLimiter(2, () => now);
  limiter.take(ada);
  now = 10_000;
  limiter.take(ada);
  now = 20_000;
  expect(() => limiter.take(ada)).toThrow('Too many calls; try again in 40 s');
  limiter.take({ client: { id: 'bea' } });
  now = 60_000;
  limiter.take(ada);
  expect(() => limiter.take(ada)).toThrow('Too many calls; try again in 10 s');
});
