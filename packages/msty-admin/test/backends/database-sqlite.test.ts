import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSqliteReader } from '../../src/backends/database-sqlite.ts';
import { openWritable } from '../fixtures/sqlite.ts';
import { studioHome } from '../fixtures/studio.ts';

const MESSAGES = 'conversationTextMessages';

function reader(options: { maxSnapshotBytes?: number } = {}) {
  const scratchDir = mkdtempSync(join(tmpdir(), 'msty-scratch-'));
  const made = createSqliteReader({ scratchDir, show: (path) => path, ...options });
  onTestFinished(async () => {
    await made.close();
    expect(readdirSync(scratchDir)).toEqual([]);
    rmSync(scratchDir, { recursive: true });
  });
  return made;
}

/** Bytes, times and links of everything beside the database. */
function traces(path: string) {
  return readdirSync(dirname(path)).map((name) => {
    const file = join(dirname(path), name);
    const { mtimeMs, ctimeMs, size, nlink, ino } = statSync(file);
    return { name, mtimeMs, ctimeMs, size, nlink, ino, bytes: readFileSync(file).toString('base64') };
  });
}

const count = (table: string) => (view: { all(sql: string): Record<string, unknown>[] }) =>
  Number(view.all(`SELECT count(*) AS n FROM ${table}`)[0]?.n);

describe('a database in WAL mode that is open elsewhere', () => {
  test('is read with the rows that are only in the log, and nothing of it is touched', async () => {
    const { path } = studioHome({ wal: true });
    const writer = openWritable(path);
    writer.exec('PRAGMA wal_autocheckpoint = 0');
    writer.exec(`INSERT INTO ${MESSAGES} (id, content) VALUES ('only-in-log', 'x')`);
    const before = traces(path);
    expect(before.map(({ name }) => name)).toEqual(['00000000', '00000000-shm', '00000000-wal']);
    const { result, stalePossible } = await reader().read(path, count(MESSAGES));
    expect({ result, stalePossible }).toEqual({ result: 4, stalePossible: false });
    expect(traces(path)).toEqual(before);
    writer.close();
  });

  test('is read in place when nobody has it open, and no file appears beside it', async () => {
    const { path } = studioHome({ wal: true });
    const writer = openWritable(path);
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    writer.close();
    // The fixture's own statements may keep these open on Node 20; a program that ended leaves none.
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    const before = traces(path);
    expect(await reader().read(path, count(MESSAGES))).toEqual({ result: 3, stalePossible: false });
    expect(traces(path)).toEqual(before);
  });

  test('is read by many at once', async () => {
    const { path } = studioHome({ wal: true });
    const writer = openWritable(path);
    writer.exec(`INSERT INTO ${MESSAGES} (id) VALUES ('only-in-log')`);
    const database = reader();
    const answers = await Promise.all(Array.from({ length: 20 }, () => database.read(path, count(MESSAGES))));
    expect(new Set(answers.map(({ result }) => result))).toEqual(new Set([4]));
    writer.close();
  });

  test('is read again after each write, also when the log begins anew', async () => {
    const { path } = studioHome({ wal: true });
    const database = reader();
    const writer = openWritable(path);
    for (let round = 1; round <= 6; round++) {
      writer.exec(`INSERT INTO ${MESSAGES} (id) VALUES ('round-${round}')`);
      expect((await database.read(path, count(MESSAGES))).result).toBe(3 + round);
      if (round % 2 === 0) writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      if (round % 3 === 0) writer.exec('PRAGMA wal_checkpoint(RESTART)');
    }
    writer.exec(`BEGIN; DELETE FROM ${MESSAGES}; ROLLBACK`);
    expect((await database.read(path, count(MESSAGES))).result).toBe(9);
    writer.close();
    expect((await database.read(path, count(MESSAGES))).result).toBe(9);
  });

  test('is read in place, and said to be possibly stale, when it is too large to copy', async () => {
    const { path } = studioHome({ wal: true });
    const writer = openWritable(path);
    writer.exec(`PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO ${MESSAGES} (id) VALUES ('only-in-log')`);
    const before = traces(path);
    const answer = await reader({ maxSnapshotBytes: 1000 }).read(path, count(MESSAGES));
    expect(answer).toEqual({ result: 3, stalePossible: true });
    expect(traces(path)).toEqual(before);
    writer.close();
  });

  test('is read in place when there is no room for a copy', async () => {
    const { home, path } = studioHome({ wal: true });
    const writer = openWritable(path);
    writer.exec(`PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO ${MESSAGES} (id) VALUES ('only-in-log')`);
    const scratchDir = join(home, 'taken');
    writeFileSync(scratchDir, 'a file, not a folder');
    const database = createSqliteReader({ scratchDir, show: (shown) => shown });
    onTestFinished(() => database.close());
    expect(await database.read(path, count(MESSAGES))).toEqual({ result: 3, stalePossible: true });
    writer.close();
  });

  test('gives whole transactions only while a writer never stops', async () => {
    const { path } = studioHome({ wal: true });
    const script = fileURLToPath(new URL('../fixtures/writer.mjs', import.meta.url));
    const writer = spawn(process.execPath, [script, path, '20'], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void writer.kill('SIGKILL'));
    let output = '';
    writer.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await once(writer.stdout, 'data');
    const database = reader();
    const seen: number[] = [];
    while (seen.length < 25 || (seen.at(-1) === seen[0] && seen.length < 500)) {
      const { result } = await database.read(path, (view) => ({
        check: view.all('PRAGMA quick_check')[0],
        written: Number(view.all(`SELECT count(*) AS n FROM ${MESSAGES} WHERE id GLOB 'w*'`)[0]?.n),
      }));
      expect(Object.values(result.check ?? {})).toEqual(['ok']);
      expect(result.written % 2).toBe(0);
      seen.push(result.written);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? 0);
    writer.stdin.end();
    await once(writer, 'exit');
    const { written } = JSON.parse(output.trim().split('\n').at(-1) ?? '') as { written: number };
    expect((await database.read(path, count(MESSAGES))).result).toBe(3 + 2 * written);
  }, 60_000);
});

describe('a database with a rollback journal', () => {
  test('is read in place, and nothing of it is touched', async () => {
    const { path } = studioHome();
    const before = traces(path);
    expect((await reader().read(path, count(MESSAGES))).result).toBe(3);
    expect(traces(path)).toEqual(before);
  });

  test('shows the last whole state while a transaction has already changed the file', async () => {
    const { path } = studioHome();
    const writer = openWritable(path);
    // A tiny cache makes SQLite write pages into the file before the commit.
    writer.exec(`PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN`);
    const insert = writer.prepare(`INSERT INTO ${MESSAGES} (id, content) VALUES (?, ?)`);
    for (let row = 0; row < 500; row++) insert.run(`new-${row}`, 'y'.repeat(2000));
    const database = reader();
    expect(readdirSync(dirname(path))).toContain('00000000-journal');
    expect((await database.read(path, count(MESSAGES))).result).toBe(3);
    writer.exec('COMMIT');
    expect((await database.read(path, count(MESSAGES))).result).toBe(503);
    writer.close();
  });
});

describe('queries', () => {
  test('that do not fit their tables get a code of their own', async () => {
    const { path } = studioHome();
    await expect(reader().read(path, (view) => view.all('SELECT nothing FROM nowhere'))).rejects.toMatchObject({
      code: 'QUERY_ERROR',
    });
  });

  test('that write are refused', async () => {
    const { path } = studioHome();
    const before = traces(path);
    const database = reader();
    await expect(database.read(path, (view) => view.all('DELETE FROM personas'))).rejects.toThrow();
    await expect(database.read(path, (view) => view.all('PRAGMA journal_mode = WAL'))).resolves.toBeDefined();
    expect(traces(path)).toEqual(before);
  });
});
