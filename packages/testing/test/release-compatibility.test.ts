import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../tooling/release/compatibility.mjs', import.meta.url));
const echo = {
  name: 'echo',
  annotations: { readOnlyHint: true, destructiveHint: false },
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  errors: [],
};
let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
const write = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value));
const check = () => {
  const { status, stdout } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
  return { status, stdout };
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-release-'));
  mkdirSync(join(folder, 'packages/echo/contract'), { recursive: true });
  mkdirSync(join(folder, '.changeset'));
  write('packages/echo/package.json', { name: '@atoll-mcp/echo' });
  write('packages/echo/contract/_server.json', {});
  write('packages/echo/contract/echo.json', echo);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a package without a release is left out', () => {
  expect(check()).toEqual({ status: 0, stdout: '@atoll-mcp/echo: not released yet\n' });
});

test('a change that breaks clients of the newest release needs a major changeset', () => {
  git('tag', '@atoll-mcp/echo@0.9.0');
  git('tag', '@atoll-mcp/echo@0.10.0');
  expect(check()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('0 breaking changes since @atoll-mcp/echo@0.10.0'),
  });
  const { text, ...rest } = echo.inputSchema.properties;
  write('packages/echo/contract/echo.json', {
    ...echo,
    inputSchema: { ...echo.inputSchema, properties: { ...rest, words: text } },
  });
  expect(check()).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('echo input.text: the argument is gone'),
  });
  writeFileSync(join(folder, '.changeset/words.md'), "---\n'@atoll-mcp/echo': major\n---\n`echo` takes words.\n");
  expect(check().status).toBe(0);
});
