import type { Collection, CollectionDefinition, ListOptions, Page, StoredRecord } from '@atoll-mcp/core/storage';
import { StorageError, taken } from '@atoll-mcp/core/storage';
import { checkCollection, checkPage, checkRecord, type Where } from '../../rules/definitions.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { brokenRule, type Row } from './sqlite-engine.ts';
import { rowOf, type Table, tableOf } from './sqlite-tables.ts';
import { orderSql, whereSql } from './sqlite-where.ts';

const SCAN_BATCH = 500;

/** How a collection gets at a connection: at once and shared, or the one of a transaction. */
export interface Access {
  read<T>(definition: CollectionDefinition<never>, work: (connection: SqliteConnection) => T): Promise<T>;
  write<T>(definition: CollectionDefinition<never>, work: (connection: SqliteConnection) => T): Promise<T>;
}

export class SqliteCollection<R extends StoredRecord> implements Collection<R> {
  readonly #definition: CollectionDefinition<R>;
  readonly #access: Access;
  readonly #table: Table;
  readonly #select: string;

  constructor(definition: CollectionDefinition<R>, access: Access) {
    this.#definition = definition;
    this.#access = access;
    this.#table = checkedTable(definition);
    this.#select = `SELECT body FROM ${this.#table.name} WHERE id = ?`;
  }

  get(id: string): Promise<R | undefined> {
    return this.#read((connection) => parse(connection.get(this.#select, id)));
  }

  getMany(ids: readonly string[]): Promise<(R | undefined)[]> {
    return this.#read((connection) =>
      connection.snapshot(() => ids.map((id) => parse<R>(connection.get(this.#select, id)))),
    );
  }

  async put(record: R): Promise<void> {
    await this.#store(this.#table.put, record);
  }

  async insert(record: R): Promise<void> {
    await this.#store(this.#table.insert, record);
  }

  async putMany(records: readonly R[]): Promise<void> {
    const rows = records.map((record) => this.#row(record));
    await this.#write((connection) =>
      connection.atomically(() => {
        for (const row of rows) connection.run(this.#table.put, ...row);
      }),
    );
  }

  delete(id: string): Promise<boolean> {
    return this.#write((connection) => connection.run(`DELETE FROM ${this.#table.name} WHERE id = ?`, id) > 0);
  }

  async list(options: ListOptions<R> = {}): Promise<Page<R>> {
    const { limit, offset } = checkPage(options);
    const where = whereSql(this.#definition, options.where);
    const order = orderSql(this.#definition, options.order);
    const page = `SELECT body FROM ${this.#table.name}${where.text}${order} LIMIT ? OFFSET ?`;
    const count = `SELECT count(*) AS total FROM ${this.#table.name}${where.text}`;
    return this.#read((connection) =>
      connection.snapshot(() => {
        const rows = connection.all(page, ...where.values, limit, offset);
        // A page that is not full is the last: its end is the count.
        const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
        const total = isLast ? offset + rows.length : Number(connection.get(count, ...where.values)?.total);
        return { items: rows.map((row) => parse<R>(row) as R), total };
      }),
    );
  }

  async count(where?: Where<R>): Promise<number> {
    const { text, values } = whereSql(this.#definition, where);
    const sql = `SELECT count(*) AS total FROM ${this.#table.name}${text}`;
    return this.#read((connection) => Number(connection.get(sql, ...values)?.total));
  }

  async *scan(where?: Where<R>): AsyncIterable<R> {
    const { text, values } = whereSql(this.#definition, where);
    const beyond = text === '' ? ' WHERE id > ?' : `${text.replace(' WHERE ', ' WHERE (')}) AND id > ?`;
    const sql = `SELECT body FROM ${this.#table.name}${beyond} ORDER BY id LIMIT ${SCAN_BATCH}`;
    for (let last = ''; ; ) {
      const batch: R[] = await this.#read((connection) =>
        connection.all(sql, ...values, last).map((row) => parse<R>(row) as R),
      );
      yield* batch;
      const end = batch.at(-1);
      if (end === undefined || batch.length < SCAN_BATCH) return;
      last = end.id;
    }
  }

  async #store(sql: string, record: R): Promise<void> {
    const row = this.#row(record);
    await this.#write((connection) => connection.run(sql, ...row));
  }

  #row(record: R) {
    checkRecord(record);
    return rowOf(this.#definition, record);
  }

  #read<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    return this.#access.read(this.#definition, work);
  }

  async #write<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    try {
      return await this.#access.write(this.#definition, work);
    } catch (error) {
      const columns = error instanceof StorageError && error.code === 'conflict' ? brokenRule(error.cause) : undefined;
      if (columns === undefined) throw error;
      throw taken(
        this.#definition,
        columns.map((each) => each.replace(/^f_/, '')),
      );
    }
  }
}

const tables = new WeakMap<object, Table>();

/** Checked and built once: every transaction asks for its collections again. */
function checkedTable<R extends StoredRecord>(definition: CollectionDefinition<R>): Table {
  const known = tables.get(definition);
  if (known) return known;
  checkCollection(definition);
  const table = tableOf(definition);
  tables.set(definition, table);
  return table;
}

const parse = <R>(row: Row | undefined): R | undefined =>
  row === undefined ? undefined : JSON.parse(row.body as string);
