import { type CollectionDefinition, invalid, type StoredRecord } from '@atoll-mcp/core/storage';
import type { Pool, Queryable } from './pool.ts';
import { column, foldedColumn, SQL_TYPES } from './where.ts';

const LOCK = 7410_2027;

export const tableOf = (name: string) => `"records_${name}"`;

/**
 * Creates or migrates the table of a collection. Columns are generated from the record itself, so that a row is indexed
 * correctly whichever version of a program wrote it; columns that are no longer declared stay for older programs that still run.
 */
export async function prepareTable<R extends StoredRecord>(
  pool: Pool,
  definition: CollectionDefinition<R>,
): Promise<void> {
  await pool.aside(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { name, version } = definition;
    const shape = shapeOf(definition);
    const sql = 'SELECT version, shape FROM atoll_collections WHERE name = $1';
    const known = (await client.query<{ version: number; shape: string }>(sql, [name])).rows[0];
    if (known && known.version > version) {
      throw invalid(`"${name}" was written by a newer version of this program. Upgrade to use it.`);
    }
    if (known?.version === version) {
      if (known.shape === shape) return;
      throw invalid(`The definition of "${name}" changed but its version did not: raise it.`);
    }
    await create(client, definition);
    await client.query(
      'INSERT INTO atoll_collections VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET version = $2, shape = $3',
      [name, version, shape],
    );
  });
}

function shapeOf<R extends StoredRecord>({
  fields,
  ignoreCase = [],
  unique = [],
  indexes = [],
}: CollectionDefinition<R>): string {
  return JSON.stringify([Object.entries(fields).sort(), [...ignoreCase].sort(), unique, indexes]);
}

async function create<R extends StoredRecord>(client: Queryable, definition: CollectionDefinition<R>): Promise<void> {
  const table = tableOf(definition.name);
  await client.query(`CREATE TABLE IF NOT EXISTS ${table} (
    id text COLLATE "C" PRIMARY KEY, body jsonb NOT NULL, raw text, folded jsonb NOT NULL, token uuid NOT NULL)`);
  for (const [field, type] of Object.entries(definition.fields) as [string, keyof typeof SQL_TYPES][]) {
    const sql = SQL_TYPES[type];
    const value = type === 'text' ? `body->>'${field}'` : `(body->>'${field}')::${sql}`;
    const collation = type === 'text' ? ' COLLATE "C"' : '';
    await client.query(
      `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column(field)} ${sql}${collation} GENERATED ALWAYS AS (${value}) STORED`,
    );
  }
  for (const field of (definition.ignoreCase ?? []) as readonly string[]) {
    // Rows of a program that did not fold this field yet are folded here, as far as ASCII goes.
    const value = `COALESCE(folded->>'${field}', lower((body->>'${field}') COLLATE "C"))`;
    await client.query(
      `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${foldedColumn(field)} text COLLATE "C" GENERATED ALWAYS AS (${value}) STORED`,
    );
  }
  await createIndexes(client, definition);
}

async function createIndexes<R extends StoredRecord>(
  client: Queryable,
  definition: CollectionDefinition<R>,
): Promise<void> {
  const make = (kind: string, fields: readonly string[]) => {
    const name = `"${definition.name.slice(0, 20)}_${fields.join('_').slice(0, 32)}_${kind ? 'u' : 'i'}"`;
    return client.query(
      `CREATE ${kind} INDEX IF NOT EXISTS ${name} ON ${tableOf(definition.name)} (${fields.map(column).join(', ')})`,
    );
  };
  for (const fields of definition.unique ?? []) await make('UNIQUE', fields);
  for (const fields of definition.indexes ?? []) await make('', fields);
}
