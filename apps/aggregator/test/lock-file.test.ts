import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PinnedServer } from '../src/pins/definition.ts';
import { LockFile } from '../src/pins/lock-file.ts';
import { tempDir } from './harness.ts';

const pinOf = (hash: string): PinnedServer => ({ hash, source: 'x', tools: {} });

test('an unchanged lock file is parsed once, also after its own changes', () => {
  const path = join(tempDir(), 'atoll.lock.json');
  const file = new LockFile(() => path);
  file.update({ one: pinOf('a') });
  expect(file.read()).toBe(file.read());
  file.update({ two: pinOf('b') });
  expect(file.read()).toEqual({ one: pinOf('a'), two: pinOf('b') });
  expect(file.read()).toEqual(new LockFile(() => path).read());
});

test.each(['in place', 'by another file'])('a lock file that was changed %s is read again at once', (way) => {
  const path = join(tempDir(), 'atoll.lock.json');
  const file = new LockFile(() => path);
  file.update({ one: pinOf('a') });
  for (const hash of ['b', 'c', 'd']) {
    const text = readFileSync(path, 'utf8').replace(/"hash": "."/, `"hash": "${hash}"`);
    writeFileSync(way === 'in place' ? path : `${path}.new`, text);
    if (way !== 'in place') renameSync(`${path}.new`, path);
    expect(file.read().one?.hash).toBe(hash);
  }
  writeFileSync(path, '{');
  expect(() => file.read()).toThrow('broken');
});
