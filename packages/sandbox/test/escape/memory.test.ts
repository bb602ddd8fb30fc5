import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';

const execute = promisify(execFile);
const MB = 1024 * 1024;
/** The limit of JavaScript and SQL sessions, and what a server may need beside it. */
const MOST = (128 + 300) * MB;

/** One blob, of which every column is another copy outside of SQLite's own memory. */
const blobs = (count: number) =>
  `WITH b AS MATERIALIZED (SELECT randomblob(8000000) AS x) SELECT ${Array(count).fill('x').join(', ')} FROM b`;
const numbers = (rows: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rows})`;
const ATTACKS = [
  ['sql', 'one row of 300 blobs of 8 MB', blobs(300)],
  ['sql', 'rows of blobs', `${numbers(2000)} SELECT randomblob(8000000), i FROM n`],
  ['sql', 'texts of 8 MB', `SELECT ${Array.from({ length: 100 }, () => "printf('%.*c', 8000000, 'x')").join(', ')}`],
  ['sql', 'rows of empty texts', `${numbers(10_000)} SELECT ${Array(1_900).fill("''").join(', ')} FROM n`],
  ['sql', 'rows of nothing', `${numbers(10_000)} SELECT ${Array(1_900).fill('NULL').join(', ')} FROM n`],
  ['sql', 'one text of 100 MB', 'SELECT hex(zeroblob(50000000))'],
  ['sql', 'a median of too many numbers', `${numbers(60_000_000)} SELECT median(i) FROM n`],
  ['sql', 'replacements that grow', "SELECT length(regexp_replace(hex(zeroblob(500000)), '', hex(zeroblob(500000))))"],
  ['javascript', 'a thrown text of 60 MB', 'throw "x".repeat(60 << 20)'],
  ['javascript', 'printed texts of 40 MB', 'for (;;) print("x".repeat(40 << 20))'],
  ['javascript', 'a value of 60 MB', '"x".repeat(60 << 20)'],
  ['javascript', 'a flood of small prints', 'for (;;) print("")'],
  [
    'javascript',
    'calls with large arguments',
    'const a = "x".repeat(7 << 20); for (;;) await Promise.all(Array.from({ length: 16 }, () => call("x", a)))',
  ],
  [
    'javascript',
    'calls with large results',
    'const kept = []; for (;;) kept.push(...(await Promise.all(Array.from({ length: 16 }, () => call("x")))))',
  ],
  ['javascript', 'a flood of calls', 'for (;;) call("x", "y")'],
] as const;

describe('the memory of the server', requires(platform() === 'linux', 'linux'), () => {
  test.each(ATTACKS)('%s: %s stays within its bounds', { timeout: 120_000 }, async (language, _, code) => {
    const program = join(import.meta.dirname, 'memory-program.mjs');
    const { stdout } = await execute(process.execPath, [program, JSON.stringify({ language, code })]);
    const { ok, failure, grown } = JSON.parse(stdout);
    expect({ ok, failure }).toMatchObject({ ok: false, failure: { kind: expect.any(String) } });
    expect(grown / MB).toBeLessThan(MOST / MB);
  });

  test('more columns than are allowed are refused', async () => {
    const program = join(import.meta.dirname, 'memory-program.mjs');
    const code = `SELECT ${Array(2_001).fill('1').join(', ')}`;
    const { stdout } = await execute(process.execPath, [program, JSON.stringify({ language: 'sql', code })]);
    expect(JSON.parse(stdout).failure.message).toContain('too many columns');
  });
});
