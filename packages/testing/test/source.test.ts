import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => existsSync(join(root, path)));
const sources = files.filter((path) => /^(packages|apps)\/[^/]+\/src\//.test(path));
const code = sources.filter((path) => /\.(ts|tsx)$/.test(path));

/** The lines of the files that match, as `path:line`. */
function linesWith(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
}

test('what depends on the protocol revision stands in the protocol folder', () => {
  const outside = code.filter(
    (path) =>
      !path.startsWith('packages/server/src/protocol/') &&
      path !== 'packages/core/src/protocol-fault.ts' &&
      // Another implementation of the protocol, to be tested against.
      !path.startsWith('packages/testing/'),
  );
  const known = /io\.modelcontextprotocol\/(?!ui)|resultType: |ProtocolFault\(\s*-32/;
  expect(linesWith(known, outside)).toEqual([]);
});
test('a source file has at most 300 lines', () => {
  const tooLong = code.map((path) => [path, read(path).trimEnd().split('\n').length] as const);
  expect(tooLong.filter(([, lines]) => lines > 300)).toEqual([]);
});

test('a source folder has at most 24 files, apart from tools/', () => {
  const counts = new Map<string, number>();
  for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const tooFull = [...counts].filter(([folder, files]) => files > 24 && !folder.endsWith('/tools'));
  expect(tooFull).toEqual([]);
});

test('a test that is left out names what it needs', () => {
  const tests = files.filter((path) => /^(packages|apps)\/[^/]+\/test\/.*\.ts$/.test(path));
  expect(linesWith(/\b(test|describe|it)(\.\w+)*\.(skipIf|runIf|skip|todo)\(/, tests)).toEqual([]);
});

/** Tables that are looked up by single characters or by names of our own only. */
const OWN_KEYS = new Set([
  'packages/memorylake/src/domain/text/rtf-tokens.ts',
  'packages/tensor-directory/src/domain/plot/stroke-font.ts',
  'packages/tensor-directory/src/domain/prompt/lexicon.ts',
  'packages/tensor-directory/src/domain/prompt/tokens.ts',
  'packages/tensor-directory/src/domain/python-repr.ts',
  'packages/tensor-directory/src/domain/transform/expression-parser.ts',
  'packages/testing/src/layer-suite.ts',
]);

test('tables with keys from outside are Maps or are read with Object.hasOwn: "constructor" is a key of every object', () => {
  const found = code
    .filter((path) => !OWN_KEYS.has(path))
    .flatMap((path) => {
      const declared = read(path).matchAll(/^(?:export )?const (\w+): (?:Readonly<)?(?:Partial<)?Record<string,/gm);
      return [...declared].flatMap(([, name]) =>
        linesWith(new RegExp(`\\b${name}\\[(?!['"\\d])|[\\w)] in ${name}\\b`), [path]).filter(
          (line) => !line.includes(`Object.hasOwn(${name}`),
        ),
      );
    });
  expect(found).toEqual([]);
});
