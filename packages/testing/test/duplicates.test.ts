import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const LONGEST_SHARED = 9;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** The lines that say something, however they are indented: neither blank nor a comment. */
function linesOf(path: string): Line[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((text, at) => ({ text: text.trim(), number: at + 1 }))
    .filter(({ text }) => text !== '' && !/^(?:\/\/|\/?\*)/.test(text));
}

/** Runs of lines that stand in two packages, each as the two places where it begins. */
function sharedRuns(files: ReadonlyMap<string, readonly Line[]>, length: number): string[] {
  const packageOf = (path: string) => path.split('/').slice(0, 2).join('/');
  const first = new Map<string, { path: string; number: number }>();
  const found: string[] = [];
  for (const [path, lines] of files) {
    for (let at = 0; at + length <= lines.length; at++) {
      const run = lines.slice(at, at + length);
      const text = run.map((line) => line.text).join('\n');
      const { number } = run[0]!;
      const earlier = first.get(text);
      if (!earlier) first.set(text, { path, number });
      else if (packageOf(earlier.path) !== packageOf(path))
        found.push(`${earlier.path}:${earlier.number} and ${path}:${number}`);
    }
  }
  return found;
}

test('no ten lines in a row stand in the sources of two packages', () => {
  const tracked = execFileSync('git', ['ls-files', '-z', 'packages', 'apps'], { cwd: root, encoding: 'utf8' });
  const sources = tracked
    .split('\0')
    .filter((path) => /^(?:packages|apps)\/[^/]+\/(?:src|web|python)\/.*\.(?:tsx?|mjs|py|css)$/.test(path))
    .filter((path) => existsSync(join(root, path)));
  expect(sources.length).toBeGreaterThan(1_000);
  expect(sharedRuns(new Map(sources.map((path) => [path, linesOf(path)])), LONGEST_SHARED + 1)).toEqual([]);
});

test('a run of ten lines in two packages is found', () => {
  const lines = Array.from({ length: 12 }, (_, at) => ({ text: `const value${at} = ${at};`, number: at + 1 }));
  const files = (second: string) =>
    new Map([
      ['packages/one/src/a.ts', lines],
      [second, lines.slice(1, 11)],
    ]);
  expect(sharedRuns(files('packages/two/src/b.ts'), 10)).toEqual([
    'packages/one/src/a.ts:2 and packages/two/src/b.ts:2',
  ]);
  expect(sharedRuns(files('packages/one/src/b.ts'), 10)).toEqual([]);
});
