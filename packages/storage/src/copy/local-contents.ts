import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CollectionDefinition, SearchIndexDefinition, StoredRecord } from '@atoll-mcp/core/storage';
import { SqliteConnection } from '../drivers/sqlite/sqlite-connection.ts';

/** What a data folder has in it, as its own files tell; no server needs to be asked. */
export interface LocalContents {
  readonly collections: CollectionDefinition<StoredRecord>[];
  readonly indexes: SearchIndexDefinition[];
}

const INDEX_FILE = /^search-([a-z0-9_]+)\.db$/;

export async function localContents(dataDir: string): Promise<LocalContents> {
  const names = existsSync(dataDir) ? (await readdir(dataDir)).sort() : [];
  const collections = names.includes('records.db') ? await read(join(dataDir, 'records.db'), collectionsIn) : [];
  const indexes: SearchIndexDefinition[] = [];
  for (const file of names) {
    const name = INDEX_FILE.exec(file)?.[1];
    const dimensions = name && (await read(join(dataDir, file), dimensionsIn));
    if (name && dimensions) indexes.push({ name, dimensions });
  }
  return { collections, indexes };
}

async function read<T>(path: string, work: (connection: SqliteConnection) => T): Promise<T> {
  const connection = await SqliteConnection.open(path, { durability: 'full' });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

const has = (connection: SqliteConnection, table: string) =>
  connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', table) !== undefined;

function collectionsIn(connection: SqliteConnection): CollectionDefinition<StoredRecord>[] {
  if (!has(connection, 'collections')) return [];
  return connection.all('SELECT name, version, shape FROM collections ORDER BY name').map((row) => {
    const [fields, ignoreCase, unique, indexes] = JSON.parse(row.shape as string);
    const name = row.name as string;
    return { name, version: Number(row.version), fields: Object.fromEntries(fields), ignoreCase, unique, indexes };
  });
}

/** Nothing for a file that was opened but never written to. */
function dimensionsIn(connection: SqliteConnection): number | undefined {
  if (!has(connection, 'meta')) return undefined;
  const row = connection.get("SELECT value FROM meta WHERE name = 'dimensions'");
  return row && Number(row.value);
}
