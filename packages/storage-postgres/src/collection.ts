import { randomUUID } from 'node:crypto';
import {
  type Collection,
  type CollectionDefinition,
  type ListOptions,
  type Page,
  type StoredRecord,
  taken,
} from '@atoll-mcp/core/storage';
import { checkPage, checkRecord } from '@atoll-mcp/storage';
import { type Row, recordOf, rowOf } from './body.ts';
import type { Queryable } from './pool.ts';
import { tableOf } from './tables.ts';
import { orderSql, Values, whereSql } from './where.ts';

const BATCH = 500;

/** Where a collection sends its statements: the pool, or the connection of a transaction. */
export interface Access {
  database(): Promise<Queryable>;
  /** Several statements, all or none. */
  together<T>(work: (database: Queryable) => Promise<T>): Promise<T>;
}

interface Found {
  readonly body: unknown;
  readonly raw: string | null;
}

export class PostgresCollection<R extends StoredRecord> implements Collection<R> {
  readonly #definition: CollectionDefinition<R>;
  readonly #access: Access;
  readonly #table: string;

  constructor(definition: CollectionDefinition<R>, access: Access) {
    this.#definition = definition;
    this.#access = access;
    this.#table = tableOf(definition.name);
  }

  async get(id: string): Promise<R | undefined> {
    const { rows } = await (await this.#access.database()).query<Found>(
      `SELECT body, raw FROM ${this.#table} WHERE id = $1`,
      [id],
    );
    return rows[0] && recordOf<R>(rows[0]);
  }

  async getMany(ids: readonly string[]): Promise<(R | undefined)[]> {
    const { rows } = await (await this.#access.database()).query<Found & { id: string }>(
      `SELECT id, body, raw FROM ${this.#table} WHERE id = ANY($1::text[])`,
      [ids],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      return row && recordOf<R>(row);
    });
  }

  async put(record: R): Promise<void> {
    await this.#store(await this.#access.database(), this.#row(record));
  }

  async putMany(records: readonly R[]): Promise<void> {
    const rows = records.map((record) => this.#row(record));
    await this.#access.database();
    await this.#access.together(async (database) => {
      for (const row of rows) await this.#store(database, row);
    });
  }

  async insert(record: R): Promise<void> {
    const { id, body, raw, folded } = this.#row(record);
    // The token distinguishes our own row, resent after a lost response, from another writer's.
    const token = randomUUID();
    const database = await this.#access.database();
    const sql = `INSERT INTO ${this.#table} (id, body, raw, folded, token) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO NOTHING`;
    const { rowCount } = await this.#named(database.query(sql, [id, body, raw, folded, token]));
    if (rowCount === 1) return;
    const { rows } = await database.query<{ token: string }>(`SELECT token FROM ${this.#table} WHERE id = $1`, [id]);
    if (rows[0]?.token !== token) throw taken(this.#definition, ['id']);
  }

  async delete(id: string): Promise<boolean> {
    const { rowCount } = await (await this.#access.database()).query(`DELETE FROM ${this.#table} WHERE id = $1`, [id]);
    return rowCount === 1;
  }

  async list(options: ListOptions<R> = {}): Promise<Page<R>> {
    const { limit, offset } = checkPage(options);
    const values = new Values();
    const where = whereSql(this.#definition, options.where, values);
    const order = orderSql(this.#definition, options.order);
    const database = await this.#access.database();
    // One statement, so that the page and the total come from the same snapshot.
    const { rows } = await database.query<Found & { total: number }>(
      `SELECT body, raw, (SELECT count(*) FROM ${this.#table} WHERE ${where}) AS total
       FROM ${this.#table} WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
      values.all,
    );
    const total = rows[0]?.total ?? (limit === 0 || offset > 0 ? await this.count(options.where) : 0);
    return { items: rows.map((row) => recordOf<R>(row)), total };
  }

  async count(where?: ListOptions<R>['where']): Promise<number> {
    const values = new Values();
    const sql = `SELECT count(*) AS total FROM ${this.#table} WHERE ${whereSql(this.#definition, where, values)}`;
    const { rows } = await (await this.#access.database()).query<{ total: number }>(sql, values.all);
    return rows[0]?.total ?? 0;
  }

  async *scan(where?: ListOptions<R>['where']): AsyncIterable<R> {
    const values = new Values();
    const condition = whereSql(this.#definition, where, values);
    let after = '';
    for (;;) {
      const sql = `SELECT id, body, raw FROM ${this.#table} WHERE (${condition}) AND id > $${values.all.length + 1}
        ORDER BY id LIMIT ${BATCH}`;
      const { rows } = await (await this.#access.database()).query<Found & { id: string }>(sql, [...values.all, after]);
      for (const row of rows) yield recordOf<R>(row);
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.id;
    }
  }

  #row(record: R): Row {
    checkRecord(record);
    return rowOf(this.#definition, record);
  }

  async #store(database: Queryable, { id, body, raw, folded }: Row): Promise<void> {
    const sql = `INSERT INTO ${this.#table} (id, body, raw, folded, token) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO UPDATE SET body = excluded.body, raw = excluded.raw, folded = excluded.folded, token = excluded.token`;
    await this.#named(database.query(sql, [id, body, raw, folded, randomUUID()]));
  }

  /** Translates a unique violation into the interface's error, with the fields of the rule. */
  async #named<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if ((error as { code?: unknown }).code !== '23505') throw error;
      const detail = String((error as { detail?: unknown }).detail ?? '');
      const rule = (this.#definition.unique ?? []).find((fields) =>
        fields.every((field) => detail.includes(field === 'id' ? '(id)' : `f_${field}`)),
      );
      throw taken(this.#definition, rule ?? ['id']);
    }
  }
}
