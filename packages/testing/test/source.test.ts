import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => /^(packages|apps)\/[^/]+\/src\//.test(path) && existsSync(join(root, path)));
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
