import { constants, rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileState, fileState } from './file-state.ts';
import { openReadOnly, type SqliteDatabase } from './sqlite-driver.ts';

const ATTEMPTS = 8;
const FOLDER = /^snapshot-(\d+)-/;

/**
 * A private copy of a database that another program is writing to, kept in step with it.
 *
 * The main file is copied first and its log or journal after it. If the log is still in the same life afterwards, it holds every
 * page that a checkpoint may have changed during the copy, so both together are one consistent state. As long as that
 * life lasts, only the log is copied again.
 */
export class DatabaseSnapshot {
  readonly #source: string;
  readonly #folder: string;
  readonly #copy: string;
  #taken: FileState | undefined;
  #open: SqliteDatabase | undefined;

  private constructor(source: string, folder: string) {
    this.#source = source;
    this.#folder = folder;
    this.#copy = join(folder, 'copy.db');
    process.once('exit', this.#remove);
  }

  static async create(source: string, scratchDir: string): Promise<DatabaseSnapshot> {
    await mkdir(scratchDir, { recursive: true, mode: 0o700 });
    await sweep(scratchDir);
    return new DatabaseSnapshot(source, await mkdtemp(join(scratchDir, `snapshot-${process.pid}-`)));
  }

  get source(): string {
    return this.#source;
  }

  /** The copy in the source's present state, or undefined when the source never held still for long enough. */
  async database(): Promise<SqliteDatabase | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = await fileState(this.#source);
      if (this.#open && this.#taken?.isSettled && isSame(this.#taken, state)) return this.#open;
      this.#close();
      if (await this.#take(state)) {
        this.#open = openReadOnly(this.#copy);
        return this.#open;
      }
    }
    return undefined;
  }

  async remove(): Promise<void> {
    this.#close();
    process.off('exit', this.#remove);
    await rm(this.#folder, { recursive: true, force: true });
  }

  readonly #remove = () => rmSync(this.#folder, { recursive: true, force: true });

  async #take(before: FileState): Promise<boolean> {
    await Promise.all(['-wal', '-shm', '-journal'].map((end) => rm(this.#copy + end, { force: true })));
    const hasMain = before.walLife !== null && before.walLife === this.#taken?.walLife;
    this.#taken = undefined;
    if (!hasMain) await clone(this.#source, this.#copy);
    if (before.walLife !== null) await clone(`${this.#source}-wal`, `${this.#copy}-wal`);
    if (before.journalMark !== null) await clone(`${this.#source}-journal`, `${this.#copy}-journal`);
    const after = await fileState(this.#source);
    const sameLife = before.walLife === after.walLife && before.journalMark === after.journalMark;
    // With neither log nor journal nothing vouches for the copy but the file's own marks.
    const isWhole = sameLife && (before.walLife !== null || before.mainMark === after.mainMark);
    if (isWhole) this.#taken = before;
    return isWhole;
  }

  #close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}

function isSame(a: FileState, b: FileState): boolean {
  return (
    a.walLife === b.walLife &&
    a.walMark === b.walMark &&
    a.journalMark === b.journalMark &&
    (a.walLife !== null || a.mainMark === b.mainMark)
  );
}

/** File systems that share blocks copy in no time. A companion may vanish at any moment, which the marks then show. */
async function clone(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Copies of a process that was killed are nobody's any more. */
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
