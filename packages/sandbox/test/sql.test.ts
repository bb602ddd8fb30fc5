import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CodeRuntime, SqlOptions, SqlSession } from '../src/interface.ts';
import { capMemory } from '../src/sql/cap-memory.ts';
import { createSqlRuntime } from '../src/sql/runtime.ts';
import { isNothing, statementProblem } from '../src/sql/statement.ts';

const SALES = {
  name: 'Sales 2024.xlsx',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'Na"me', type: 'text' },
    { name: 'price', type: 'real' },
    { name: 'day', type: 'date' },
    { name: 'at', type: 'datetime' },
    { name: 'paid', type: 'boolean' },
  ],
  rows: [
    [1, 'Ann', 1.5, new Date('2024-01-31T10:00:00Z'), new Date('2024-01-31T10:00:00Z'), true],
    [2n ** 60n, '字', null, '2024-02-01', undefined, false],
  ],
} as const;

describe('SQL', () => {
  let runtime: CodeRuntime<SqlOptions, SqlSession>;
  let session: SqlSession;
  beforeAll(async () => {
    runtime = createSqlRuntime();
    session = await runtime.open({ tables: [SALES] });
  });
  afterAll(() => runtime.close());

  test('says that it works', async () => {
    expect(await runtime.probe()).toMatchObject({ available: true, language: 'sql', walls: ['webassembly', 'thread'] });
  });

  test('gives types, dates, booleans, large numbers and nothing back as they are', async () => {
    const { columns, rows, ok } = await session.run('SELECT * FROM "Sales 2024.xlsx" ORDER BY id');
    expect(ok).toBe(true);
    expect(columns).toEqual(['id', 'Na"me', 'price', 'day', 'at', 'paid']);
    expect(rows).toEqual([
      [1, 'Ann', 1.5, '2024-01-31', '2024-01-31 10:00:00', 1],
      ['1152921504606846976', '字', null, '2024-02-01', null, 0],
    ]);
    expect(
      (await session.run(`SELECT strftime('%Y', "day"), typeof(id), x'0102' FROM "Sales 2024.xlsx" LIMIT 1`)).rows,
    ).toEqual([['2024', 'integer', 'AQI=']]);
  });

  test('returns as many rows as are wanted and says when there are more', async () => {
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50) SELECT i FROM n';
    expect(await session.run(numbers, { maxRows: 3 })).toMatchObject({ rows: [[1], [2], [3]], rowsTruncated: true });
    expect(await session.run(numbers, { maxRows: 50 })).toMatchObject({ rowsTruncated: false });
    const few = await runtime.open({ tables: [], limits: { rows: 2 } });
    expect((await few.run(numbers, { maxRows: 50 })).rows).toHaveLength(2);
    await few.close();
  });

  test('words mistakes as SQLite does, and goes on', async () => {
    const { failure, statePreserved } = await session.run('SELECT x FROM nowhere');
    expect(failure).toEqual({ kind: 'exception', message: 'no such table: nowhere' });
    expect(statePreserved).toBe(true);
    expect((await session.run('SELECT 1')).rows).toEqual([[1]]);
    expect((await session.predict('', {})).failure?.kind).toBe('refused');
  });

  test('loads many rows, and says when they do not fit', async () => {
    const rows = function* () {
      for (let n = 0; n < 20_000; n++) yield [n, `row ${n}`];
    };
    const columns = [
      { name: 'n', type: 'integer' },
      { name: 's', type: 'text' },
    ] as const;
    const large = await runtime.open({ tables: [{ name: 't', columns, rows: rows() }] });
    expect((await large.run('SELECT count(*), sum(n) FROM t')).rows).toEqual([[20_000, 199_990_000]]);
    await large.close();
    const heavy = [
      { name: 't', columns: [{ name: 's', type: 'text' }], rows: Array(40).fill(['x'.repeat(1_000_000)]) },
    ] as const;
    await expect(runtime.open({ tables: heavy, limits: { memoryBytes: 32 * 1024 * 1024 } })).rejects.toMatchObject({
      code: 'limit',
    });
  });

  test('has as much memory as was asked for, more or less than usual', async () => {
    const blob = (mb: number) => `SELECT length(zeroblob(${mb * 1_000_000}) || zeroblob(1))`;
    for (const [mb, fits, tooMuch] of [
      [48, 5, 40],
      [512, 120, 400],
    ] as const) {
      const own = await runtime.open({ tables: [], limits: { memoryBytes: mb * 1024 * 1024 } });
      expect((await own.run(blob(fits))).failure).toBeUndefined();
      expect((await own.run(blob(tooMuch))).failure?.kind).toBe('memory');
      await own.close();
    }
  });

  test('stops a statement that runs too long', async () => {
    const own = await runtime.open({ tables: [] });
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    expect(await own.run(endless, { timeoutMs: 100 })).toMatchObject({
      ok: false,
      failure: { kind: 'timeout' },
      statePreserved: false,
    });
    expect((await own.run('SELECT 1')).failure?.kind).toBe('unavailable');
  });
});

test.each([
  ['select 1', undefined],
  [' -- hello\n /* x */ ;; WITH a AS (SELECT 1) SELECT * FROM a', undefined],
  ['VALUES (1)', undefined],
  ['EXPLAIN QUERY PLAN SELECT 1', undefined],
  ['explain delete from t', 'not DELETE'],
  ['(SELECT 1)', 'not ('],
  ['/* unfinished SELECT', 'no statement'],
  ['PRAGMA user_version = 1', 'not PRAGMA'],
])('judges %j', (sql, problem) => {
  if (problem) expect(statementProblem(sql)).toContain(problem);
  else expect(statementProblem(sql)).toBeUndefined();
});

test('finds that nothing follows a statement', () => {
  expect([' ; -- done', '', '/* x */'].every(isNothing)).toBe(true);
  expect(isNothing('; SELECT 2')).toBe(false);
});

test('refuses to cap a module that has no memory', () => {
  expect(() => capMemory(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), 1)).toThrow('no memory');
});

test('a session whose tables cannot be read takes the place of no other', async () => {
  const own = createSqlRuntime({ maxSessions: 2 });
  onTestFinished(() => own.close());
  const first = await own.open({ tables: [] });
  const unreadable = {
    [Symbol.iterator]: () => {
      throw new Error('unreadable');
    },
  };
  const columns = [{ name: 'n', type: 'integer' }] as const;
  await expect(own.open({ tables: [{ name: 't', columns, rows: unreadable }] })).rejects.toThrow('unreadable');
  await own.open({ tables: [] });
  expect(first.ended).toBeUndefined();
});
