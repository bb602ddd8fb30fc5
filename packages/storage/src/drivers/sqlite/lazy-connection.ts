import { dirname } from 'node:path';
import { closedStore } from '@atoll-mcp/core/storage';
import { makeFolder } from '../files/files.ts';
import { type ConnectionOptions, retryWhileBusy, SqliteConnection } from './sqlite-connection.ts';

export interface LazyConnectionOptions extends ConnectionOptions {
  readonly path: string;
  /** What the store is called when it was closed. */
  readonly what: string;
  /** Runs once in a transaction, before anything else: creates what is missing. */
  prepare(connection: SqliteConnection): void;
}

/** A connection that is opened when it is first needed, and again after a failure to open. */
export class LazyConnection {
  readonly #options: LazyConnectionOptions;
  #opening: Promise<SqliteConnection> | undefined;
  #closed = false;

  constructor(options: LazyConnectionOptions) {
    this.#options = options;
  }

  get(): Promise<SqliteConnection> {
    if (this.#closed) return Promise.reject(closedStore(this.#options.what));
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const connection = await this.#opening?.catch(() => undefined);
    connection?.close();
  }

  async #open(): Promise<SqliteConnection> {
    const { path, prepare } = this.#options;
    await makeFolder(dirname(path));
    const connection = await SqliteConnection.open(path, this.#options);
    try {
      await retryWhileBusy(() => connection.atomically(() => prepare(connection)));
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }
}
