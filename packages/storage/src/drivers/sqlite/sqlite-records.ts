import { dirname } from 'node:path';
import type { Collection, CollectionDefinition, Collections, RecordStore, StoredRecord } from '@atoll-mcp/core/storage';
import { closedStore, StorageError } from '@atoll-mcp/core/storage';
import { Mutex } from '../../rules/mutex.ts';
import { makeFolder } from '../files/files.ts';
import { CommitQueue } from './commit-queue.ts';
import { type Access, SqliteCollection } from './sqlite-collection.ts';
import { retryWhileBusy, SqliteConnection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-engine.ts';
import { isCurrent, makeCurrent } from './sqlite-tables.ts';
import { StoreFile } from './store-file.ts';

type Definition = CollectionDefinition<never>;

interface Connections {
  /** Writes, and reads as long as no transaction is open on it. */
  readonly writer: SqliteConnection;
  /** Reads what is committed while a transaction is open. */
  readonly reader: SqliteConnection;
}

/** Records in one SQLite file that any number of processes may share. */
export class SqliteRecords implements RecordStore {
  readonly #path: string;
  readonly #turns = new Mutex();
  readonly #commits = new CommitQueue(this.#turns);
  readonly #current = new WeakSet<Definition>();
  #opening: Promise<Connections> | undefined;
  #open: Connections | undefined;
  #file: StoreFile | undefined;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  collection<R extends StoredRecord>(definition: CollectionDefinition<R>): Collection<R> {
    return new SqliteCollection(definition, {
      read: (declared, work) => this.#read(declared, work),
      write: (declared, work) => this.#write(declared, work),
    });
  }

  async transaction<T>(work: (transaction: Collections) => Promise<T>): Promise<T> {
    const { writer } = await this.#connect();
    this.#requireFile();
    const prepared = new Set<Definition>();
    const access: Access = {
      read: async (definition, read) => {
        this.#prepareNow(writer, definition, prepared);
        return read(writer);
      },
      write: async (definition, write) => {
        this.#prepareNow(writer, definition, prepared);
        return write(writer);
      },
    };
    const result = await this.#commits.run(writer, () =>
      work({ collection: (definition) => new SqliteCollection(definition, access) }),
    );
    for (const definition of prepared) this.#current.add(definition);
    return result;
  }

  async isThere(): Promise<boolean> {
    await this.#connect();
    return this.#file?.isThere() ?? false;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#opening?.catch(() => {});
    await this.#turns.idle();
    this.#open?.reader.close();
    this.#open?.writer.close();
    this.#open = undefined;
  }

  async #read<T>(definition: Definition, work: (connection: SqliteConnection) => T): Promise<T> {
    this.#turns.refuseInside();
    const { writer, reader } = this.#open ?? (await this.#connect());
    this.#requireFile();
    if (!this.#current.has(definition)) await this.#prepare(writer, definition);
    const connection = this.#turns.busy ? reader : writer;
    try {
      return work(connection);
    } catch (error) {
      if (!isBusy(causeOf(error))) throw error;
      return retryWhileBusy(() => work(reader));
    }
  }

  async #write<T>(definition: Definition, work: (connection: SqliteConnection) => T): Promise<T> {
    this.#turns.refuseInside();
    const { writer } = this.#open ?? (await this.#connect());
    this.#requireFile();
    if (!this.#current.has(definition)) await this.#prepare(writer, definition);
    return this.#commits.run(writer, () => work(writer));
  }

  async #prepare(writer: SqliteConnection, definition: Definition): Promise<void> {
    await this.#turns.run(async () => {
      if (this.#current.has(definition)) return;
      await retryWhileBusy(() => {
        if (!isCurrent(writer, definition)) writer.atomically(() => makeCurrent(writer, definition));
      });
      this.#current.add(definition);
    });
  }

  /** Inside an open transaction: what it prepares is only there for others once it commits. */
  #prepareNow(writer: SqliteConnection, definition: Definition, prepared: Set<Definition>): void {
    if (this.#current.has(definition) || prepared.has(definition)) return;
    if (!isCurrent(writer, definition)) makeCurrent(writer, definition);
    prepared.add(definition);
  }

  #connect(): Promise<Connections> {
    if (this.#closed) return Promise.reject(closedStore('record store'));
    this.#opening ??= this.#openBoth().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #openBoth(): Promise<Connections> {
    await makeFolder(dirname(this.#path));
    const writer = await SqliteConnection.open(this.#path, { durability: 'full', undoInMemory: true });
    const reader = await SqliteConnection.open(this.#path, { durability: 'full' });
    this.#file = await StoreFile.of(this.#path, writer);
    this.#open = { writer, reader };
    return this.#open;
  }

  /** SQLite goes on with a file that was deleted or replaced, and what it acknowledges is lost. */
  #requireFile(): void {
    if (this.#file?.isThere() === false) throw storeGone(this.#path);
  }
}

const storeGone = (path: string) =>
  new StorageError(
    'not_found',
    `${path} is gone, or another file has taken its place. Put it back, or restart to use what is there now.`,
  );

const causeOf = (error: unknown) => (error instanceof Error ? error.cause : undefined);
