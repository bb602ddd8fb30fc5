import { AsyncResource } from 'node:async_hooks';
import { setImmediate as restOfRound } from 'node:timers/promises';
import type { Mutex } from '../../rules/mutex.ts';
import { retryWhileBusy, type SqliteConnection } from './sqlite-connection.ts';

interface Waiting {
  work(): unknown;
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** Work that shares a commit at most; each waits for all of them. */
const MAX_AT_ONCE = 64;

/**
 * Runs work in transactions, one after the other. Work that waits at the same time shares a commit, which is one wait for the disk instead of
 * many; each still happens as a whole or not at all, and is answered after the commit.
 */
export class CommitQueue {
  readonly #turns: Mutex;
  #waiting: Waiting[] = [];

  constructor(turns: Mutex) {
    this.#turns = turns;
  }

  run<T>(connection: SqliteConnection, work: () => T | Promise<T>): Promise<T> {
    this.#turns.refuseInside();
    return new Promise((resolve, reject) => {
      // Each runs in the context of its caller, not in that of whoever came first.
      this.#waiting.push({ work: AsyncResource.bind(() => this.#turns.inside(work)), resolve, reject });
      if (this.#waiting.length % MAX_AT_ONCE === 1) void this.#turns.run(() => this.#commitNext(connection));
    });
  }

  async #commitNext(connection: SqliteConnection): Promise<void> {
    // What is about to come in the same round of the event loop shares the commit.
    await restOfRound();
    const group = this.#waiting.splice(0, MAX_AT_ONCE);
    if (group.length === 0) return;
    const done: (() => void)[] = [];
    try {
      await retryWhileBusy(() => connection.begin());
      for (const { work, resolve, reject } of group) {
        try {
          const value = await connection.partly(work);
          done.push(() => resolve(value as never));
        } catch (error) {
          // A full disk, for one, ends the transaction of them all.
          if (!connection.isInTransaction) throw error;
          reject(error);
        }
      }
      connection.commit();
    } catch (error) {
      connection.rollback();
      for (const { reject } of group) reject(error);
      return;
    }
    for (const answer of done) answer();
  }
}
