import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import type { PinnedServer } from '../src/pins/definition.ts';
import { LockFile } from '../src/pins/lock-file.ts';
import { Pins } from '../src/pins/pins.ts';
import { UpstreamPin } from '../src/pins/upstream-pin.ts';
import { eventually, tempDir } from './harness.ts';

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

const upstreamPin = (key: string, lockFile: LockFile) =>
  new UpstreamPin({ key, source: {}, lockFile, log: silentLogger, onChange() {}, pinning: () => 'enforce' });

const unexpected = (error: unknown) => expect.unreachable(String(error));

/** Tells two writings of a file apart. */
const stateOf = (path: string) => statSync(path, { bigint: true }).ctimeNs;

test('servers that start together are pinned in two writings, and each is known as pinned at once', () => {
  const path = join(tempDir(), 'atoll.lock.json');
  const lockFile = new LockFile(() => path);
  const keys = Array.from({ length: 70 }, (_, index) => `s${index}`);
  const states = new Set<bigint>();
  for (const key of keys) {
    const pin = upstreamPin(key, lockFile);
    pin.examine([{ name: 'read' }], { name: key, version: '1' });
    expect(pin.report).toMatchObject({ state: 'pinned', heldBack: [] });
    expect(lockFile.read()[key]?.name).toBe(key);
    states.add(stateOf(path));
  }
  new Pins(lockFile, silentLogger).close();
  states.add(stateOf(path));
  expect(states.size).toBe(2);
  expect(Object.keys(new LockFile(() => path).read()).sort()).toEqual(keys.sort());
});

test('with "enforce" the tools of a server whose pin could not be written are held back', () => {
  const path = join(tempDir(), 'atoll.lock.json');
  const lockFile = new LockFile(() => path);
  const pin = upstreamPin('two', lockFile);
  for (const each of [upstreamPin('one', lockFile), pin]) each.examine([{ name: 'read' }], { name: 'x' });
  expect(pin.report.state).toBe('pinned');
  writeFileSync(path, '{');
  lockFile.flush();
  expect(pin.report).toMatchObject({
    state: 'unknown',
    heldBack: ['read'],
    problem: expect.stringContaining('broken'),
  });
});

test('pins are written shortly after the last server joined', async () => {
  const path = join(tempDir(), 'atoll.lock.json');
  const file = new LockFile(() => path);
  for (const key of ['one', 'two']) file.add(key, pinOf(key), unexpected);
  expect(new LockFile(() => path).read()).not.toHaveProperty('two');
  await eventually(() => new LockFile(() => path).read().two);
});

test('a pin that another process wrote meanwhile stays, and its other changes too', () => {
  const path = join(tempDir(), 'atoll.lock.json');
  const file = new LockFile(() => path);
  for (const key of ['one', 'two', 'three']) file.add(key, pinOf('ours'), unexpected);
  new LockFile(() => path).update({ one: undefined, two: pinOf('theirs') });
  file.flush();
  const hashes = Object.entries(file.read()).map(([key, { hash }]) => [key, hash]);
  expect(hashes).toEqual([
    ['three', 'ours'],
    ['two', 'theirs'],
  ]);
});

test('each server learns that its pin could not be written', () => {
  const folder = tempDir();
  const path = join(folder, 'atoll.lock.json');
  const file = new LockFile(() => path);
  const failures: string[] = [];
  for (const key of ['one', 'two', 'three']) {
    file.add(key, pinOf(key), (error) => failures.push(`${key}: ${(error as Error).message}`));
  }
  rmSync(path);
  writeFileSync(path, '{');
  file.flush();
  expect(failures).toEqual([expect.stringMatching(/^two: .*broken/), expect.stringMatching(/^three: .*broken/)]);
  expect(readFileSync(path, 'utf8')).toBe('{');
});

test('a changed lock file has no definition hashed again', () => {
  const path = join(tempDir(), 'atoll.lock.json');
  const lockFile = new LockFile(() => path);
  let readings = 0;
  const tools = [
    {
      name: 'read',
      get description() {
        readings++;
        return 'Reads a file.';
      },
    },
  ];
  const pin = upstreamPin('one', lockFile);
  pin.examine(tools, { name: 'one', version: '1' });
  const once = readings;
  lockFile.update({ two: pinOf('a') });
  pin.examine(tools, { name: 'one', version: '1' });
  expect(pin.report.state).toBe('pinned');
  lockFile.update({ one: { ...pinOf('a'), name: 'another' } });
  pin.examine(tools, { name: 'one', version: '1' });
  expect(pin.report).toMatchObject({ state: 'changed', heldBack: ['read'] });
  expect(readings).toBe(once);
});
