import type {
  Collection,
  CollectionDefinition,
  Collections,
  ListOptions,
  Page,
  RecordStore,
  StoredRecord,
} from '@atoll-mcp/core/storage';
import { closedStore, taken } from '@atoll-mcp/core/storage';
import { checkCollection, checkPage, checkRecord, fieldValue, type Where } from '../../rules/definitions.ts';
import { comparer, matcher } from '../../rules/matching.ts';
import { Mutex } from '../../rules/mutex.ts';

type Rows = Map<string, StoredRecord>;
type Tables = Map<string, Rows>;

/** Records that live as long as the process. */
export class MemoryRecords implements RecordStore {
  #tables: Tables = new Map();
  readonly #turns = new Mutex();
  #closed = false;

  collection<R extends StoredRecord>(definition: CollectionDefinition<R>): Collection<R> {
    return new MemoryCollection(definition, {
      read: () => {
        this.#turns.refuseInside();
        if (this.#closed) throw closedStore('record store');
        return this.#tables;
      },
      write: async (change) => this.#turns.run(async () => this.#apply(change)),
    });
  }

  async transaction<T>(work: (transaction: Collections) => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      if (this.#closed) throw closedStore('record store');
      const draft: Tables = new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)]));
      const result = await work({
        collection: (definition) =>
          new MemoryCollection(definition, { read: () => draft, write: async (change) => change(draft) }),
      });
      this.#tables = draft;
      return result;
    });
  }

  async close(): Promise<void> {
    await this.#turns.idle();
    this.#closed = true;
  }

  #apply<T>(change: (tables: Tables) => T): T {
    if (this.#closed) throw closedStore('record store');
    return change(this.#tables);
  }
}

interface Access {
  read(): Tables;
  write<T>(change: (tables: Tables) => T): Promise<T>;
}

class MemoryCollection<R extends StoredRecord> implements Collection<R> {
  readonly #definition: CollectionDefinition<R>;
  readonly #access: Access;

  constructor(definition: CollectionDefinition<R>, access: Access) {
    checkCollection(definition);
    this.#definition = definition;
    this.#access = access;
  }

  async get(id: string): Promise<R | undefined> {
    return copy(this.#rows(this.#access.read()).get(id));
  }

  async getMany(ids: readonly string[]): Promise<(R | undefined)[]> {
    const rows = this.#rows(this.#access.read());
    return ids.map((id) => copy(rows.get(id)));
  }

  async put(record: R): Promise<void> {
    await this.putMany([record]);
  }

  async putMany(records: readonly R[]): Promise<void> {
    await this.#store(records);
  }

  async insert(record: R): Promise<void> {
    await this.#store([record], { mustBeNew: true });
  }

  async delete(id: string): Promise<boolean> {
    return this.#access.write((tables) => this.#rows(tables).delete(id));
  }

  async list(options: ListOptions<R> = {}): Promise<Page<R>> {
    const { limit, offset } = checkPage(options);
    const found = this.#matching(options.where).sort(comparer(this.#definition, options.order));
    return { items: found.slice(offset, offset + limit).map(copy), total: found.length };
  }

  async count(where?: Where<R>): Promise<number> {
    return this.#matching(where).length;
  }

  async *scan(where?: Where<R>): AsyncIterable<R> {
    for (const record of this.#matching(where).sort(comparer(this.#definition))) yield copy(record);
  }

  async #store(records: readonly R[], options: { mustBeNew?: boolean } = {}): Promise<void> {
    const copies = records.map(copy);
    for (const record of copies) {
      checkRecord(record);
      for (const field of Object.keys(this.#definition.fields)) fieldValue(this.#definition, record, field);
    }
    await this.#access.write((tables) => {
      const rows = this.#rows(tables);
      const before = copies.map((record) => [record.id, rows.get(record.id)] as const);
      try {
        for (const record of copies) {
          if (options.mustBeNew && rows.has(record.id)) throw taken(this.#definition, ['id']);
          this.#refuseTwins(record, rows);
          rows.set(record.id, record);
        }
      } catch (error) {
        for (const [id, record] of before) record === undefined ? rows.delete(id) : rows.set(id, record);
        throw error;
      }
    });
  }

  #refuseTwins(record: R, rows: Map<string, R>): void {
    for (const fields of this.#definition.unique ?? []) {
      const values = fields.map((field) => fieldValue(this.#definition, record, field));
      if (values.includes(null)) continue;
      for (const other of rows.values()) {
        if (other.id === record.id) continue;
        const same = fields.every((field, index) => fieldValue(this.#definition, other, field) === values[index]);
        if (same) throw taken(this.#definition, fields);
      }
    }
  }

  #matching(where: Where<R>): R[] {
    return [...this.#rows(this.#access.read()).values()].filter(matcher(this.#definition, where));
  }

  #rows(tables: Tables): Map<string, R> {
    const rows = tables.get(this.#definition.name) ?? new Map();
    tables.set(this.#definition.name, rows);
    // A collection's name stands for one kind of record: whoever declares it says which.
    return rows;
  }
}

/** A copy as JSON makes it, so that a caller's later change does not reach others. */
function copy<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
