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

  const NUMBERS =
    "(SELECT column1 AS x, column2 AS y FROM (VALUES (2, 1), (4, 3), (4, 2), (4, 5), (5, 4), (5, 6), (7, 7), (9, 9), (NULL, 1), ('n/a', 2)))";
  test.each([
    ['STDDEV(x)', 2.138089935299395],
    ['STDDEV_POP(x)', 2],
    ['VARIANCE(x)', 4.571428571428571],
    ['VAR_POP(x)', 4],
    ['MEDIAN(x)', 4.5],
    ['PERCENTILE(x, 90)', 7.6],
    ['PERCENTILE(x, 0.9)', 7.6],
    ['PERCENTILE_CONT(x, 0.25)', 4],
    ['CORR(x, y)', 0.9261584224952539],
    ['COVAR_SAMP(x, y)', 5.285714285714286],
    ['COVAR_POP(x, y)', 4.625],
  ])('has the statistics that analysts use: %s', async (call, expected) => {
    const { rows } = await session.run(`SELECT ${call} FROM ${NUMBERS}`);
    expect(rows[0]![0]).toBeCloseTo(expected, 10);
  });

  test('loses no digits of a small spread around a large mean, and gives NULL for too few values', async () => {
    const large = '(VALUES (1000000000000.1), (1000000000000.2), (1000000000000.3))';
    const { rows } = await session.run(
      `SELECT STDDEV(column1), STDDEV(NULL), MEDIAN(NULL), CORR(1, column1) FROM ${large}`,
    );
    expect(rows[0]![0]).toBeCloseTo(0.1, 3);
    expect(rows[0]!.slice(1)).toEqual([null, null, null]);
    expect((await session.run('SELECT STDDEV(5)')).rows).toEqual([[null]]);
  });

  test.each([
    ["'invoice 2024-17' REGEXP '\\d{4}-\\d+'", 1],
    ["'ÄRGER' REGEXP '(?i)ärger'", 1],
    ["NULL REGEXP 'a'", null],
    ["REGEXP_EXTRACT('order 17 of 20', 'of (\\d+)')", '20'],
    ["REGEXP_REPLACE('a1b22', '\\d+', '#')", 'a#b#'],
    ["YEAR('2024-05-31')", 2024],
    ["QUARTER('2024-05-31')", 2],
    ["WEEK('2021-01-03')", 53],
    ["WEEKDAY('2024-05-31')", 5],
    ["HOUR('2024-05-31 13:45:00')", 13],
    ["MONTH('soon')", null],
    ["DATE_TRUNC('month', '2024-05-31')", '2024-05-01'],
    ["DATE_TRUNC('week', '2024-05-31')", '2024-05-27'],
    ["DATE_TRUNC('hour', '2024-05-31 13:45:00')", '2024-05-31 13:00:00'],
    ["DATE_DIFF('day', '2024-02-28', '2024-03-01')", 2],
    ["DATE_DIFF('months', '2023-12-31', '2024-02-01')", 2],
  ])('has regular expressions and parts of dates: %s', async (call, expected) => {
    expect((await session.run(`SELECT ${call}`)).rows).toEqual([[expected]]);
  });

  test.each([
    ["SELECT 'a' REGEXP '('", 'is not a regular expression'],
    ['SELECT PERCENTILE(1, 1)', 'ambiguous'],
    ['SELECT PERCENTILE(1, 101)', 'from 0 to 100'],
    ["SELECT DATE_TRUNC('moon', '2024-05-31')", 'is not a unit of time'],
  ])('says what is wrong with an argument: %s', async (sql, message) => {
    expect((await session.run(sql)).failure?.message).toContain(message);
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
  ['/* unfinished SELECT', 'is empty'],
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
