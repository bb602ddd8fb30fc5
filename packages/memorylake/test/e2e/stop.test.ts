import { once } from 'node:events';
import { afterAll, expect, test, vi } from 'vitest';
import { cleanUp, newFolder } from '../open-test-lake.ts';
import { eventually, startHttp } from './programs.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
afterAll(cleanUp);

test('a lake that is stopped while it embeds ends by itself, without a crash', async () => {
  const { url, child } = await startHttp(['--data-dir', await newFolder()]);
  let stderr = '';
  child.stderr!.on('data', (text) => {
    stderr += text;
  });
  const body = Array.from({ length: 20_000 }, (_, at) => `Berth ${at} is let to the boat ${at * 7} this season.`);
  void fetch(new URL('/memories?name=berths.txt', url), { method: 'POST', body: body.join('\n\n') }).catch(() => {});
  await eventually(
    async () => stderr,
    (text) => text.includes('model loaded'),
  );
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(stderr).not.toContain('terminate called');
});
