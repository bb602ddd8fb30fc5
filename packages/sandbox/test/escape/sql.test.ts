import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import type { CodeRuntime, Limits, SqlOptions, SqlSession } from '../../src/interface.ts';
import { createSqlRuntime } from '../../src/sql/runtime.ts';
import { interpreter } from '../python-environment.ts';
import { canRunControls, runUnwalled } from './control.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4000000) SELECT max(i) FROM n';
const SORT = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000)
  SELECT max(x) FROM (SELECT i || hex(zeroblob(1000)) AS x FROM n ORDER BY x DESC LIMIT 30000 OFFSET 1)`;
const MB = 1024 * 1024;

interface Attack {
  readonly name: string;
  readonly sql: string;
  /** Of a session of its own. */
  readonly limits?: Partial<Limits>;
  /** Of the query alone: the time of a session bounds the loading of its tables, too. */
  readonly timeoutMs?: number;
  /** Refused by every SQLite, and shown here so that it stays so. */
  readonly control?: false;
}

const ATTACKS: readonly Attack[] = [
  { name: 'attach a file', sql: "ATTACH 'other.db' AS other" },
  { name: 'attach after a comment', sql: "/* SELECT */ -- SELECT\n ; ATTACH 'other.db' AS other" },
  { name: 'copy the database into a file', sql: "VACUUM INTO 'copy.db'" },
  { name: 'write', sql: "INSERT INTO t VALUES (2, 'b')" },
  { name: 'write behind a WITH', sql: 'WITH x AS (SELECT 1) DELETE FROM t' },
  { name: 'make a table', sql: 'CREATE TABLE mine (x)' },
  { name: 'make a view', sql: 'CREATE TEMP VIEW mine AS SELECT 1' },
  { name: 'drop a table', sql: 'DROP TABLE t' },
  { name: 'make the database writable', sql: 'PRAGMA query_only = OFF' },
  { name: 'edit the schema', sql: 'PRAGMA writable_schema = ON' },
  { name: 'change the journal', sql: 'PRAGMA journal_mode = WAL' },
  { name: 'begin a transaction', sql: 'BEGIN EXCLUSIVE' },
  { name: 'explain something that writes', sql: "EXPLAIN ATTACH 'other.db' AS other" },
  { name: 'load an extension', sql: "SELECT load_extension('libc.so.6')", control: false },
  { name: 'read a file', sql: "SELECT readfile('/etc/passwd')", control: false },
  { name: 'write a file', sql: "SELECT writefile('x', 'y')", control: false },
  { name: 'run two statements', sql: 'SELECT 1; DELETE FROM t', control: false },
  { name: 'run too long', sql: ENDLESS, limits: {}, timeoutMs: 100 },
  {
    name: 'take memory',
    sql: 'SELECT length(group_concat(hex(zeroblob(20000000)))) FROM t',
    limits: { memoryBytes: 32 * MB },
  },
  { name: 'sort more than fits', sql: SORT, limits: { memoryBytes: 32 * MB } },
  { name: 'return more than can be kept', sql: 'SELECT hex(zeroblob(3000000))', limits: { outputKillBytes: MB } },
];
const TABLE = {
  name: 't',
  columns: [
    { name: 'n', type: 'integer' },
    { name: 's', type: 'text' },
  ],
  rows: [[1, 'a']],
} as const;

describe('SQL in the sandbox', () => {
  let runtime: CodeRuntime<SqlOptions, SqlSession>;
  let shared: SqlSession;
  beforeAll(async () => {
    runtime = createSqlRuntime();
    shared = await runtime.open({ tables: [TABLE] });
  });
  afterAll(() => runtime.close());

  test.each(ATTACKS)('cannot $name', { timeout: 60_000 }, async ({ sql, limits, timeoutMs }) => {
    const session = limits ? await runtime.open({ tables: [TABLE], limits }) : shared;
    const result = await session.run(sql, timeoutMs === undefined ? {} : { timeoutMs });
    expect(result).toMatchObject({ ok: false, rows: [] });
    expect(result.failure?.kind).not.toBe('unavailable');
    if (result.statePreserved) expect((await session.run('SELECT * FROM t')).rows).toEqual([[1, 'a']]);
    if (limits) await session.close();
  });

  test('one session does not see the tables of another', async () => {
    const [one, other] = [await runtime.open({ tables: [TABLE] }), await runtime.open({ tables: [] })];
    expect((await other.run('SELECT * FROM t')).failure?.message).toBe('no such table: t');
    await Promise.all([one.close(), other.close()]);
  });
});

describe('without the walls, an SQLite of an unprivileged user', {
  ...requires(canRunControls(), 'namespaces'),
  ...requires(interpreter, 'python'),
}, () => {
  test.concurrent.each(ATTACKS.filter(({ control }) => control !== false))(
    'can $name',
    { timeout: 90_000 },
    async ({ sql }) => {
      const program = `
import sqlite3
db = sqlite3.connect('own.db', isolation_level=None)
db.execute('CREATE TABLE t (n INTEGER, s TEXT)')
db.execute("INSERT INTO t VALUES (1, 'a')")
db.execute(${JSON.stringify(sql.replace(/^\/\*[\s\S]*; /, ''))}).fetchall()`;
      expect(await runUnwalled([interpreter!.executable, '-I', '-S', '-'], program)).toBe(true);
    },
  );
});
