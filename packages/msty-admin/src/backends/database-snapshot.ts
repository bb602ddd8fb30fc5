import { constants, copyFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FileState, fileState } from './file-state.ts';
import { absorbLog, openImmutable, type SqliteDatabase } from './sqlite-driver.ts';

const ATTEMPTS = 20;
const PAUSE_MS = 10;
const FOLDER = /^snapshot-(\d+)-/;
/** Small files are copied at once: the shorter it takes, the likelier the source holds still meanwhile. */
const AT_ONCE_BYTES = 16 * 1024 * 1024;

interface Taken {
  readonly state: FileState;
  readonly copy: string;
  readonly database: SqliteDatabase;
}

/**
 * A private copy of a database that another program is writing to, kept in step with it.
 *
 * The main file is copied first and its log or journal after it. If the log is still in the same life afterwards, it holds every
 * page that a checkpoint may have changed during the copy, so both together are one consistent state. SQLite then makes one file
 * of them. As long as that life of the log lasts, only the log is copied again.
 */
export class DatabaseSnapshot {
  readonly source: string;
  readonly #folder: string;
  #copies = 0;
  #taken: Taken | undefined;

  private constructor(source: string, folder: string) {
    this.source = source;
    this.#folder = folder;
    process.once('exit', this.#removeNow);
  }

  static async create(source: string, scratchDir: string): Promise<DatabaseSnapshot> {
    await mkdir(scratchDir, { recursive: true, mode: 0o700 });
    await sweep(scratchDir);
    return new DatabaseSnapshot(source, await mkdtemp(join(scratchDir, `snapshot-${process.pid}-`)));
  }

  /** The copy in the source's present state, or in an earlier one when the source does not hold still; undefined without any. */
  async database(): Promise<{ database: SqliteDatabase; isCurrent: boolean } | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = fileState(this.source);
      const isCurrent = this.#taken?.state.isSettled && isSame(this.#taken.state, state);
      if (isCurrent || (await this.#take(state))) break;
      if (attempt === ATTEMPTS - 1) return this.#taken && { database: this.#taken.database, isCurrent: false };
      await pause(PAUSE_MS);
    }
    return this.#taken && { database: this.#taken.database, isCurrent: true };
  }

  async remove(): Promise<void> {
    this.#taken?.database.close();
    this.#taken = undefined;
    process.off('exit', this.#removeNow);
    await rm(this.#folder, { recursive: true, force: true });
  }

  readonly #removeNow = () => rmSync(this.#folder, { recursive: true, force: true });

  async #take(before: FileState): Promise<boolean> {
    const earlier = this.#taken;
    const isSameLife = before.walLife !== null && before.walLife === earlier?.state.walLife;
    const copy = earlier && isSameLife ? earlier.copy : join(this.#folder, `copy-${++this.#copies}.db`);
    if (!isSameLife) await clone(this.source, copy, before.sizeBytes);
    if (before.walLife !== null) await clone(`${this.source}-wal`, `${copy}-wal`, before.walBytes);
    if (before.journalMark !== null) await clone(`${this.source}-journal`, `${copy}-journal`, before.sizeBytes);
    const after = fileState(this.source);
    const isLogKept = before.walLife === after.walLife && before.journalMark === after.journalMark;
    // With neither log nor journal nothing vouches for the copy but the file's own marks.
    if (!isLogKept || (before.walLife === null && before.mainMark !== after.mainMark)) {
      await discard(copy, isSameLife ? COMPANIONS : ['', ...COMPANIONS]);
      return false;
    }
    earlier?.database.close();
    absorbLog(copy);
    this.#taken = { state: before, copy, database: openImmutable(copy) };
    if (earlier && earlier.copy !== copy) await discard(earlier.copy, ['']);
    return true;
  }
}

const COMPANIONS = ['-wal', '-shm', '-journal'];

function isSame(a: FileState, b: FileState): boolean {
  return (
    a.walLife === b.walLife &&
    a.walMark === b.walMark &&
    a.journalMark === b.journalMark &&
    (a.walLife !== null || a.mainMark === b.mainMark)
  );
}

/** File systems that share blocks copy in no time. A companion may vanish at any moment, which the marks then show. */
async function clone(from: string, to: string, sizeBytes: number): Promise<void> {
  try {
    if (sizeBytes <= AT_ONCE_BYTES) copyFileSync(from, to, constants.COPYFILE_FICLONE);
    else await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function discard(copy: string, ends: readonly string[]): Promise<void> {
  await Promise.all(ends.map((end) => rm(`${copy}${end}`, { force: true })));
}

/** Copies left by a killed process can be removed. */
async function sweep(scratchDir: string): Promise<void> {
  for (const name of await readdir(scratchDir)) {
    const pid = Number(FOLDER.exec(name)?.[1]);
    if (pid && pid !== process.pid && !isAlive(pid)) {
      await rm(join(scratchDir, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
