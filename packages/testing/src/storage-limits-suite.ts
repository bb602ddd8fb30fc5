import { describe, expect, test } from 'vitest';
import { type StorageSuiteOptions, useStorage } from './storage-target.ts';

/** What every RateLimiter does. */
export function rateLimiterSuite(name: string, options: StorageSuiteOptions): void {
  describe(`rate limits in ${name}`, { timeout: 60_000 }, () => {
    const subject = useStorage(options);
    const limiter = (windowMs = 3_600_000) => subject.storage.rateLimiter({ name: 'suite', limit: 5, windowMs });

    test('as much as the limit is allowed, and no more', async () => {
      const answers = [];
      for (let turn = 0; turn < 6; turn++) answers.push(await limiter().take('client'));
      expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false]);
      expect(answers.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0]);
      expect(answers[0]?.retryAfterMs).toBe(0);
      expect(answers[5]?.retryAfterMs).toBeGreaterThan(3_000_000);
      expect(answers[5]?.retryAfterMs).toBeLessThanOrEqual(3_600_000);
    });

    test('keys do not share a limit', async () => {
      expect((await limiter().take('one', 5)).allowed).toBe(true);
      expect((await limiter().take('two', 5)).allowed).toBe(true);
      expect((await limiter().take('one')).allowed).toBe(false);
    });

    test('a cost that does not fit takes nothing, and one that never fits says so', async () => {
      expect(await limiter().take('client', 3)).toMatchObject({ allowed: true, remaining: 2 });
      expect(await limiter().take('client', 3)).toMatchObject({ allowed: false, remaining: 2 });
      expect(await limiter().take('client', 2)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter().take('client', 6)).toMatchObject({
        allowed: false,
        retryAfterMs: Number.POSITIVE_INFINITY,
      });
    });

    test('a cost of nothing is always allowed', async () => {
      await limiter().take('client', 5);
      expect(await limiter().take('client', 0)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test('what was spent comes back when it leaves the window', async () => {
      const brief = limiter(200);
      await brief.take('client', 5);
      await expect.poll(async () => (await brief.take('client')).allowed, { timeout: 20_000 }).toBe(true);
    });

    if (options.durable) {
      test('processes share a limit', async () => {
        const children = ['a', 'b'].map((tag) => subject.start({ kind: 'take', tag, times: 40 }));
        await Promise.all(children.map((child) => child.ended()));
        const answers = children.flatMap(({ acknowledged }) => acknowledged);
        expect(answers.filter((allowed) => allowed === 'true')).toHaveLength(50);
      });
    }
  });
}
