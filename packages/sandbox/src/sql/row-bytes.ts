import type { SqlJsStatic, Statement } from 'sql.js';

/** Functions of SQLite that sql.js has and does not declare. */
interface SqliteFunctions {
  _sqlite3_column_count(statement: number): number;
  _sqlite3_column_type(statement: number, column: number): number;
  _sqlite3_column_bytes(statement: number, column: number): number;
}

const [TEXT, BLOB] = [3, 4];
/** What a value takes beside its content. */
const VALUE_BYTES = 8;
/** Addresses of SQLite's memory begin far above any other number that sql.js keeps. */
const MIN_ADDRESS = 1024;

/** Asks SQLite itself: once sql.js has read a row, each of its columns is already copied. */
export function rowCounter(sqlite: SqlJsStatic & Partial<SqliteFunctions>, statement: Statement): () => number {
  const { _sqlite3_column_count, _sqlite3_column_type, _sqlite3_column_bytes } = sqlite;
  const address = Object.values(statement).find((value) => typeof value === 'number' && value > MIN_ADDRESS);
  if (!address || !_sqlite3_column_count || !_sqlite3_column_type || !_sqlite3_column_bytes)
    throw new Error('This version of sql.js does not tell the size of a row');
  const columns = _sqlite3_column_count(address);
  return () => {
    let sum = 0;
    for (let column = 0; column < columns; column++) {
      const type = _sqlite3_column_type(address, column);
      sum += VALUE_BYTES + (type === TEXT || type === BLOB ? _sqlite3_column_bytes(address, column) : 0);
    }
    return sum;
  };
}
