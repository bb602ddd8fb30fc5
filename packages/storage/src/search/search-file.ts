import type { SearchIndexDefinition } from '@atoll-mcp/core/storage';
import { invalid } from '@atoll-mcp/core/storage';
import type { LazyConnectionOptions } from '../drivers/sqlite/lazy-connection.ts';
import type { SqliteConnection } from '../drivers/sqlite/sqlite-connection.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  -- A document that is replaced gets a new, higher number: readers find what is new by number, what is gone by removals.
  CREATE TABLE IF NOT EXISTS documents (
    doc INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, chunks INTEGER NOT NULL, vectors INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS removals (change INTEGER PRIMARY KEY AUTOINCREMENT, doc INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS attributes (name TEXT, value TEXT, doc INTEGER, PRIMARY KEY (name, value, doc)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS attributes_of ON attributes (doc);
  CREATE TABLE IF NOT EXISTS terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
  -- What searches hold in memory: the terms of each chunk, and its vector in a byte per dimension. Node 22 stores an
  -- empty blob as null.
  CREATE TABLE IF NOT EXISTS contents (doc INTEGER PRIMARY KEY, postings BLOB, codes BLOB);
  -- What they look up for the few best: whole vectors, and what the caller wanted kept.
  CREATE TABLE IF NOT EXISTS vectors (key INTEGER PRIMARY KEY, value BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS payloads (key INTEGER PRIMARY KEY, value TEXT NOT NULL);
`;

export const MAX_CHUNKS = 2 ** 20;

/** One number for a chunk, so that a document's chunks lie together. */
export const chunkKey = (doc: number, chunk: number) => doc * MAX_CHUNKS + chunk;

export function searchFile(path: string, { dimensions }: SearchIndexDefinition): LazyConnectionOptions {
  return {
    path,
    what: 'search index',
    durability: 'full',
    undoInMemory: true,
    pageSizeBytes: 8192,
    prepare(connection) {
      connection.exec(SCHEMA);
      checkDimensions(connection, dimensions);
    },
  };
}

function checkDimensions(connection: SqliteConnection, dimensions: number): void {
  connection.run("INSERT OR IGNORE INTO meta VALUES ('dimensions', ?)", String(dimensions));
  const made = Number(connection.get("SELECT value FROM meta WHERE name = 'dimensions'")?.value);
  if (made !== dimensions) {
    throw invalid(
      `${connection.path} was made for ${made} dimensions, not ${dimensions}. Use another name or build the index again.`,
    );
  }
}
