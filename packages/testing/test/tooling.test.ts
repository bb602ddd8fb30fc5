import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheDir, cached, isOpenToOthers } from '../../../tooling/cache.mjs';
import { leaveOut, NEEDS, requires } from '../../../tooling/test/needs.mjs';
import { aloneCommand, summaryOf } from '../../../tooling/test/summary.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-tooling-'));
  process.env.ATOLL_CACHE_DIR = folder;
});
afterEach(() => {
  delete process.env.ATOLL_CACHE_DIR;
  rmSync(folder, { recursive: true, force: true });
});

describe('the cache of what tests fetch', () => {
  const fill = (text: string) => (target: string) => {
    calls += 1;
    writeFileSync(join(target, 'file'), text);
  };
  let calls = 0;
  beforeEach(() => {
    calls = 0;
  });

  test('is made once, and again for another version', () => {
    const place = cached('thing', '1', fill('one'));
    expect(cached('thing', '1', fill('again'))).toBe(place);
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe('one');
    cached('thing', '2', fill('two'));
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe('two');
    expect(calls).toBe(2);
    expect(readdirSync(folder)).toEqual(['thing']);
  });

  test.each([
    ['a file is missing', (place: string) => rmSync(join(place, 'file'))],
    ['a file is cut off', (place: string) => writeFileSync(join(place, 'file'), '')],
    ['its mark is missing', (place: string) => rmSync(join(place, '.atoll-complete.json'))],
    ['its mark is damaged', (place: string) => writeFileSync(join(place, '.atoll-complete.json'), '{"vers')],
  ])('is repaired when %s', async (_, damage) => {
    const place = cached('damaged', '1', fill('one'));
    damage(place);
    // Another process, which has not looked at it yet.
    const other = `${new URL('../../../tooling/cache.mjs', import.meta.url).href}?again=${Math.random()}`;
    const again = (await import(other)) as { cached: typeof cached };
    again.cached('damaged', '1', fill('one'));
    expect(calls).toBe(2);
    expect(readFileSync(join(place, 'file'), 'utf8')).toBe('one');
  });

  test('keeps nothing of an attempt that failed', () => {
    const broken = () => {
      throw new Error('no network');
    };
    expect(() => cached('thing', '1', broken)).toThrow('no network');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is in a folder that other users can enter, when root needs them to', () => {
    const isRoot = process.getuid?.() === 0;
    chmodSync(folder, 0o700);
    expect(isOpenToOthers(folder)).toBe(false);
    const place = cacheDir({ XDG_CACHE_HOME: folder, HOME: folder });
    if (isRoot) expect(place).toBe('/var/cache/atoll');
    else if (process.platform === 'linux') expect(place).toBe(join(folder, 'atoll'));
    expect(cacheDir({ ATOLL_CACHE_DIR: folder })).toBe(folder);
  });
});

describe('the summary of a test run', () => {
  const report = { folder: 'packages/one', seconds: 61, output: '', passed: 3, failures: [], leftOut: [] };

  test('ends with one line of figures, and is good only without failures', () => {
    const { text, isGood } = summaryOf([report], { seconds: 61 });
    expect(text.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed');
    expect(text).toContain('Took 1 min 1 s.');
    expect(isGood).toBe(true);
    expect(summaryOf([], { seconds: 0 })).toMatchObject({ isGood: false, text: expect.stringContaining('1 failed') });
  });

  test('names what was left out, why, and what to install', () => {
    const leftOut = [
      { file: 'test/a.test.ts', name: 'a', needs: 'chromium' },
      { file: 'test/b.test.ts', name: 'b', needs: 'chromium' },
      { file: 'test/c.test.ts', needs: 'postgres' },
    ];
    const { text, isGood } = summaryOf([{ ...report, leftOut }], { seconds: 1 });
    expect(text).toContain(`2 tests: Chromium. To get it: ${NEEDS.chromium.get}`);
    expect(text).toContain('1 file: PostgreSQL');
    expect(isGood).toBe(true);
    const strict = summaryOf([{ ...report, leftOut }], { seconds: 1, isStrict: true });
    expect(strict.isGood).toBe(false);
    expect(strict.text.trimEnd().split('\n').at(-1)).toBe('3 passed, 2 failed');
  });

  test('gives the command that runs a failed test alone', () => {
    const failures = [{ file: 'test/a.test.ts', name: "it isn't (quite) right" }, { reason: 'vitest ended with 1' }];
    const { text } = summaryOf([{ ...report, failures }], { seconds: 1 });
    expect(text).toContain("cd packages/one && npx vitest run test/a.test.ts -t 'it isn'\\''t \\(quite\\) right'");
    expect(text).toContain('packages/one: vitest ended with 1');
    expect(aloneCommand('packages/one')).toBe('cd packages/one && npx vitest run');
    expect(text.trimEnd().split('\n').at(-1)).toBe('3 passed, 2 failed');
  });
});

test('a test that finds while it runs that something is missing says what', () => {
  const task = { meta: {} };
  const skip = (): never => {
    throw new Error('skipped');
  };
  expect(() => leaveOut({ task, skip }, 'python')).toThrow('skipped');
  expect(task.meta).toEqual({ needs: 'python' });
  expect(() => leaveOut({ task, skip }, 'magic' as 'python')).toThrow('"magic" is not in the table');
});

test('a test that needs what is missing is left out with its reason, which must be a known one', () => {
  expect(requires(true, 'python')).toEqual({});
  expect(requires(undefined, 'python')).toEqual({ skip: true, meta: { needs: 'python' } });
  expect(() => requires(false, 'magic' as 'python')).toThrow('"magic" is not in the table');
  expect(existsSync(folder)).toBe(true);
});
