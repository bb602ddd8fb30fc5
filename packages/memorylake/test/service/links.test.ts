import { memoryStorage } from '@atoll-mcp/storage';
import { expect, test } from 'vitest';
import { Links } from '../../src/service/links.ts';

test('a link is good until its time is over, and only as it was given', async () => {
  const storage = memoryStorage();
  let now = new Date('2026-01-01T00:00:00Z');
  const links = new Links({ storage, now: () => now, ttlSeconds: 60 });
  const { searchParams, pathname } = new URL(await links.sign('http://127.0.0.1:1/', 'ds-a'));
  expect(pathname).toBe('/memories/ds-a');
  const [expires, signature] = [searchParams.get('expires'), searchParams.get('signature')];
  expect(await links.check('ds-a', expires, signature)).toBe('ok');
  expect(await links.check('ds-b', expires, signature)).toBe('forged');
  expect(await links.check('ds-a', null, signature)).toBe('forged');
  now = new Date('2026-01-01T00:01:01Z');
  expect(await links.check('ds-a', expires, signature)).toBe('expired');
  const again = new Links({ storage, now: () => new Date('2026-01-01T00:00:00Z'), ttlSeconds: 60 });
  expect(await again.check('ds-a', expires, signature)).toBe('ok');
});
