import type { CollectionDefinition, StoredRecord } from '@atoll-mcp/core/storage';
import { invalid } from '@atoll-mcp/core/storage';
import { fieldType, fieldValue } from '../../rules/definitions.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SqlValue } from './sqlite-engine.ts';
import { column, foldedColumn, toSql } from './sqlite-where.ts';

const TYPES = { text: 'TEXT', integer: 'INTEGER', real: 'REAL', boolean: 'INTEGER' } as const;

/** The statements of one collection, built once. */
export interface Table {
  readonly name: string;
  readonly put: string;
  readonly insert: string;
}

export function tableOf<R extends StoredRecord>(definition: CollectionDefinition<R>): Table {
  const name = `"c_${definition.name}"`;
  const columns = ['id', ...columnsOf(definition), 'body'];
  const insert = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const updates = columns.slice(1).map((each) => `${each} = excluded.${each}`);
  return { name, insert, put: `${insert} ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}` };
}

/** What a record puts into the columns, in their order. */
export function rowOf<R extends StoredRecord>(definition: CollectionDefinition<R>, record: R): SqlValue[] {
  const values = Object.keys(definition.fields).map((field) => toSql(fieldValue(definition, record, field)));
  const folded = (definition.ignoreCase ?? []).map((field) => {
    const value = fieldValue(definition, record, field);
    return typeof value === 'string' ? value.toLowerCase() : null;
  });
  return [record.id, ...values, ...folded, JSON.stringify(record)];
}

/** Whether the file already has the collection just as declared. */
export function isCurrent<R extends StoredRecord>(
  connection: SqliteConnection,
  definition: CollectionDefinition<R>,
): boolean {
  const known = connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', 'collections') !== undefined;
  const row = known
    ? connection.get('SELECT version, shape FROM collections WHERE name = ?', definition.name)
    : undefined;
  if (row === undefined || Number(row.version) < definition.version) return false;
  if (Number(row.version) > definition.version) {
    throw invalid(`"${definition.name}" in ${connection.path} was written by a newer version. Upgrade to use it.`);
  }
  if (row.shape !== shapeOf(definition)) {
    throw invalid(`The definition of "${definition.name}" changed but its version did not: raise it.`);
  }
  return true;
}

/** Creates the collection, or carries its records over to a new shape. Runs inside a transaction. */
export function makeCurrent<R extends StoredRecord>(
  connection: SqliteConnection,
  definition: CollectionDefinition<R>,
): void {
  connection.exec('CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, version INTEGER, shape TEXT)');
  if (isCurrent(connection, definition)) return;
  const table = tableOf(definition);
  const former = connection.get('SELECT 1 FROM collections WHERE name = ?', definition.name);
  if (former) connection.exec(`ALTER TABLE ${table.name} RENAME TO former`);
  const columns = columnsWithTypes(definition);
  // The body comes last: a scan over the fields then never walks through long bodies.
  connection.exec(`CREATE TABLE ${table.name} (id TEXT PRIMARY KEY NOT NULL, ${columns}body TEXT NOT NULL)`);
  if (former) {
    let last = '';
    for (;;) {
      const rows = connection.all('SELECT id, body FROM former WHERE id > ? ORDER BY id LIMIT 500', last);
      if (rows.length === 0) break;
      for (const { body } of rows) connection.run(table.insert, ...rowOf(definition, JSON.parse(body as string)));
      last = rows.at(-1)?.id as string;
    }
    connection.exec('DROP TABLE former');
  }
  createIndexes(connection, definition, table.name);
  connection.run('REPLACE INTO collections VALUES (?, ?, ?)', definition.name, definition.version, shapeOf(definition));
}

function createIndexes<R extends StoredRecord>(
  connection: SqliteConnection,
  { name, unique = [], indexes = [] }: CollectionDefinition<R>,
  table: string,
): void {
  unique.forEach((fields, index) => {
    connection.exec(`CREATE UNIQUE INDEX "u_${name}_${index}" ON ${table} (${fields.map(column).join(', ')})`);
  });
  indexes.forEach((fields, index) => {
    connection.exec(`CREATE INDEX "i_${name}_${index}" ON ${table} (${fields.map(column).join(', ')})`);
  });
}

function columnsOf<R extends StoredRecord>({ fields, ignoreCase = [] }: CollectionDefinition<R>): string[] {
  return [...Object.keys(fields).map(column), ...ignoreCase.map(foldedColumn)];
}

function columnsWithTypes<R extends StoredRecord>(definition: CollectionDefinition<R>): string {
  const own = Object.keys(definition.fields).map(
    (field) => `${column(field)} ${TYPES[fieldType(definition, field)]}, `,
  );
  return [...own, ...(definition.ignoreCase ?? []).map((field) => `${foldedColumn(field)} TEXT, `)].join('');
}

const shapeOf = <R extends StoredRecord>({ fields, ignoreCase, unique, indexes }: CollectionDefinition<R>) =>
  JSON.stringify([Object.entries(fields), ignoreCase ?? [], unique ?? [], indexes ?? []]);
