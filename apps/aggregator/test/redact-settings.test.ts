import { expect, test } from 'vitest';
import { redactArgs, redactText, restoreArgs, restoreText } from '../src/access/redact-settings.ts';

const R = '[redacted]';
const variable = (name: string) => `\${${name}}`;

test.each<[string[], string[]]>([
  [
    ['--api-key', 'abc', '--level', 'info'],
    ['--api-key', R, '--level', 'info'],
  ],
  [
    ['--token=abc', 'token=abc', '--tokens', '5'],
    [`--token=${R}`, `token=${R}`, '--tokens', '5'],
  ],
  [
    ['-y', 'mcp-remote', 'https://x/mcp', '--header', 'Authorization: Bearer abcdefgh'],
    ['-y', 'mcp-remote', 'https://x/mcp', '--header', `Authorization: ${R}`],
  ],
  [
    ['--header', `Authorization:${variable('AUTH')}`, '--token', variable('TOKEN')],
    ['--header', `Authorization:${variable('AUTH')}`, '--token', variable('TOKEN')],
  ],
  [
    ['run', '-e', 'GITHUB_TOKEN=ghp_abcdefghijklmnop', '-e', 'MODE=a', '-e', 'GITHUB_TOKEN'],
    ['run', '-e', `GITHUB_TOKEN=${R}`, '-e', 'MODE=a', '-e', 'GITHUB_TOKEN'],
  ],
  [
    ['postgresql://ann:p%40ss@db/x', 'sk-abcdefghijklmnop1234'],
    [`postgresql://${R}@db/x`, R],
  ],
  [
    ['--token', '--verbose'],
    ['--token', '--verbose'],
  ],
  [
    ['--max-tokens', '500', '/home/ada/token/file.txt', 'C:\\\\keys'],
    ['--max-tokens', '500', '/home/ada/token/file.txt', 'C:\\\\keys'],
  ],
])('%j is shown without secrets and can be restored', (args, shown) => {
  expect(redactArgs(args)).toEqual(shown);
  expect(restoreArgs(shown, args)).toEqual(args);
  const moved = ['--first', ...shown];
  expect(restoreArgs(moved, args)).toEqual(['--first', ...args]);
});

test('a secret goes only where it was', () => {
  const args = ['--token', 'a', '--password', 'b'];
  expect(restoreArgs(['--password', R, '--token', R], args)).toEqual(['--password', 'b', '--token', 'a']);
  expect(restoreArgs(['--other', R], args)).toBeUndefined();
  expect(restoreArgs(['--token', R, '--token', R], args)).toBeUndefined();
  expect(restoreText(`https://${R}@b/`, 'https://ann:pw@a/')).toBeUndefined();
  expect(restoreText(`https://${R}@a/`, 'https://ann:pw@a/')).toBe('https://ann:pw@a/');
  expect(restoreText('https://c/', 'https://ann:pw@a/')).toBe('https://c/');
});

test('addresses keep what is not secret', () => {
  expect(redactText('https://api.example/v1?page=2&key=k&sort=a#top')).toBe(
    `https://api.example/v1?page=2&key=${R}&sort=a#top`,
  );
  expect(redactText('https://api.example/v1?monkey=k')).toBe('https://api.example/v1?monkey=k');
  expect(redactText('http://127.0.0.1:8080/mcp')).toBe('http://127.0.0.1:8080/mcp');
});

test('long texts take no long time', () => {
  for (const text of [
    'a'.repeat(200_000),
    '://'.repeat(50_000),
    'a:'.repeat(50_000),
    '-'.repeat(200_000),
    'sk-'.repeat(60_000),
    'eyJ-'.repeat(30_000),
  ]) {
    expect(typeof redactText(text)).toBe('string');
  }
});
