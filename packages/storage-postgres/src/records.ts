import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Collection,
  type CollectionDefinition,
  type Collections,
  closedStore,
  invalid,
  type RecordStore,
  type StoredRecord,
} from '@atoll-mcp/core/storage';
import { checkCollection } from '@atoll-mcp/storage';
import { PostgresCollection } from './collection.ts';
import type { Pool, Queryable } from './pool.ts';
import { prepareTable } from './tables.ts';

/** Records as rows: the record itself as JSONB, and a generated column for each field that is filtered or sorted by. */
export class PostgresRecords implements RecordStore {
  readonly #pool: Pool;
  readonly #prepared = new Map<string, Promise<void>>();
  readonly #inside = new AsyncLocalStorage<boolean>();
  #isClosed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  collection<R extends StoredRecord>(definition: CollectionDefinition<R>): Collection<R> {
    checkCollection(definition);
    return new PostgresCollection(definition, {
      database: async () => {
        if (this.#inside.getStore()) throw invalid('Inside a transaction, use the collections that it was given.');
        await this.#prepare(definition);
        return this.#pool;
      },
      together: async (work) => this.#pool.transaction(work, 'read committed'),
    });
  }

  async transaction<T>(work: (transaction: Collections) => Promise<T>): Promise<T> {
    if (this.#inside.getStore()) throw invalid('Inside a transaction, use the collections that it was given.');
    if (this.#isClosed) throw closedStore('record store');
    return this.#pool.transaction((client) => this.#inside.run(true, () => work(this.#collectionsOn(client))));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #collectionsOn(client: Queryable): Collections {
    return {
      collection: (definition) => {
        checkCollection(definition);
        const database = async () => {
          await this.#prepare(definition);
          return guarded(client);
        };
        return new PostgresCollection(definition, {
          database,
          together: async (work) => guarded(client).whole(() => work(client)),
        });
      },
    };
  }

  #prepare<R extends StoredRecord>(definition: CollectionDefinition<R>): Promise<void> {
    if (this.#isClosed) throw closedStore('record store');
    const key = `${definition.name}@${definition.version}`;
    let prepared = this.#prepared.get(key);
    if (!prepared) {
      prepared = this.#inside.exit(() => prepareTable(this.#pool, definition));
      this.#prepared.set(key, prepared);
      // Retries after a short outage.
      prepared.catch(() => this.#prepared.delete(key));
    }
    return prepared;
  }
}

/** A savepoint per statement: a failed one is rolled back alone, so that the transaction can continue as on other stores. */
function guarded(client: Queryable): Queryable & { whole<T>(work: () => Promise<T>): Promise<T> } {
  const whole = async <T>(work: () => Promise<T>): Promise<T> => {
    await client.query('SAVEPOINT step');
    try {
      const result = await work();
      await client.query('RELEASE SAVEPOINT step');
      return result;
    } catch (error) {
      await client.query('ROLLBACK TO SAVEPOINT step');
      throw error;
    }
  };
  const query: Queryable['query'] = (text, values) =>
    text.startsWith('SELECT') ? client.query(text, values) : whole(() => client.query(text, values));
  return { query, whole };
}
