import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { requires } from '../../../tooling/test/needs.mjs';
import { LazyConnection } from '../src/drivers/sqlite/lazy-connection.ts';
import { searchFile } from '../src/search/search-file.ts';

const OPEN_FILES = '/proc/self/fd';
const folder = mkdtempSync(join(tmpdir(), 'atoll-storage-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** SQLite's temporary files have no name any more, but are still open. */
function temporaryFiles(): string[] {
  return readdirSync(OPEN_FILES).flatMap((number) => {
    try {
      const path = readlinkSync(join(OPEN_FILES, number));
      return path.includes('etilqs') ? [path] : [];
    } catch {
      return [];
    }
  });
}

test(
  'parts of a transaction leave nothing in the folder for temporary files',
  requires(process.platform === 'linux', 'linux'),
  async () => {
    const file = new LazyConnection(searchFile(join(folder, 'search.db'), { name: 'texts', dimensions: 4 }));
    const connection = await file.get();
    for (let key = 0; key < 200; key++) connection.run('INSERT INTO payloads VALUES (?, ?)', key, 'a'.repeat(3_000));
    connection.begin();
    // Each part changes every page, and what undoes it is more than SQLite keeps in memory by itself.
    for (const letter of ['b', 'c']) {
      await connection.partly(() => {
        connection.run('UPDATE payloads SET value = ?', letter.repeat(3_000));
        expect(temporaryFiles()).toEqual([]);
      });
    }
    const undone = connection.partly(() => {
      connection.run('UPDATE payloads SET value = ?', 'd'.repeat(3_000));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    connection.commit();
    expect(connection.get('SELECT count(*) AS kept FROM payloads WHERE value LIKE ?', 'c%')).toMatchObject({
      kept: 200,
    });
    await file.close();
  },
);
