import type { Database, SqlJsStatic, Statement, SqlValue as StoredValue } from 'sql.js';
import type { Failure, SqlCell, SqlTable, SqlType, SqlValue } from '../interface.ts';
import { mustStop } from '../thread-side.ts';
import { addFunctions } from './functions.ts';
import { rowCounter } from './row-bytes.ts';
import { isNothing, statementProblem } from './statement.ts';

export type SqlRequest = { readonly op: 'begin'; readonly memoryBytes: number } | TableRequest;

type TableRequest =
  | { readonly op: 'table'; readonly name: string; readonly columns: SqlTable['columns'] }
  | { readonly op: 'rows'; readonly rows: readonly (readonly SqlValue[])[] }
  | { readonly op: 'loaded' }
  | { readonly op: 'query'; readonly sql: string; readonly maxRows: number; readonly maxBytes: number };

export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
  readonly rowsTruncated: boolean;
  readonly failure?: Failure;
}

const SCHEMA = 'given';
const DECLARED: Readonly<Record<SqlType, string>> = {
  integer: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  boolean: 'INTEGER',
  date: 'TEXT',
  datetime: 'TEXT',
};

/** A database in memory that is filled once and then only read. */
export class Tables {
  readonly #sqlite: SqlJsStatic;
  readonly #db: Database;
  #insert: Statement | undefined;
  #types: readonly SqlType[] = [];

  constructor(sqlite: SqlJsStatic) {
    const db = new sqlite.Database();
    this.#sqlite = sqlite;
    this.#db = db;
    // sql.js keeps its main database and temporary files in JavaScript's memory, which has no bounds; these are within.
    addFunctions(db);
    db.run('PRAGMA temp_store = MEMORY');
    db.run(`ATTACH ':memory:' AS ${SCHEMA}`);
    db.run('BEGIN');
  }

  handle(request: TableRequest): SqlAnswer {
    try {
      return this.#answer(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failed(
        /out of memory|memory access|unreachable/i.test(message)
          ? { kind: 'memory', message }
          : { kind: 'exception', message },
      );
    }
  }

  #answer(request: TableRequest): SqlAnswer {
    if (request.op === 'query') return this.#query(request);
    if (request.op === 'table') this.#create(request.name, request.columns);
    if (request.op === 'rows')
      for (const row of request.rows) this.#insert!.run(this.#types.map((type, index) => stored(row[index], type)));
    if (request.op === 'loaded') this.#close();
    return NOTHING;
  }

  #create(name: string, columns: SqlTable['columns']): void {
    this.#insert?.free();
    const declared = columns.map((column) => `${quoted(column.name)} ${DECLARED[column.type]}`);
    this.#db.run(`CREATE TABLE ${SCHEMA}.${quoted(name)} (${declared.join(', ')})`);
    this.#insert = this.#db.prepare(
      `INSERT INTO ${SCHEMA}.${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`,
    );
    this.#types = columns.map(({ type }) => type);
  }

  /** Nothing can be written from here on; statements that could undo that are not run. */
  #close(): void {
    this.#insert?.free();
    this.#insert = undefined;
    this.#db.run('COMMIT');
    this.#db.run('PRAGMA query_only = ON');
    this.#db.run('PRAGMA trusted_schema = OFF');
  }

  #query({ sql, maxRows, maxBytes }: Extract<TableRequest, { op: 'query' }>): SqlAnswer {
    const problem = statementProblem(sql);
    if (problem) return failed({ kind: 'refused', message: problem });
    const statements = this.#db.iterateStatements(sql);
    const { value: statement, done } = statements.next();
    if (done) return failed({ kind: 'refused', message: 'The statement is empty' });
    try {
      if (!isNothing(statements.getRemainingSQL()))
        return failed({ kind: 'refused', message: 'Only one statement can be run at a time' });
      return this.#read(statement, maxRows, maxBytes);
    } finally {
      statement.free();
    }
  }

  #read(statement: Statement, maxRows: number, maxBytes: number): SqlAnswer {
    const rows: SqlCell[][] = [];
    const rowBytes = rowCounter(this.#sqlite, statement);
    let size = 0;
    while (statement.step()) {
      if (rows.length === maxRows) return { columns: statement.getColumnNames(), rows, rowsTruncated: true };
      size += rowBytes();
      if (size > maxBytes) return failed({ kind: 'output', message: '' });
      if (mustStop()) return failed({ kind: 'interrupted', message: '' });
      // sql.js knows this option, its types don't yet.
      const read = statement.get as (params: null, config: { useBigInt: boolean }) => (StoredValue | bigint)[];
      rows.push(read.call(statement, null, { useBigInt: true }).map(cell));
    }
    return { columns: statement.getColumnNames(), rows, rowsTruncated: false };
  }
}

const NOTHING: SqlAnswer = { columns: [], rows: [], rowsTruncated: false };
const failed = (failure: Failure): SqlAnswer => ({ ...NOTHING, failure });
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function stored(value: SqlValue, type: SqlType): StoredValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return value.toString(); // the column makes it a number again
  if (!(value instanceof Date)) return value;
  if (Number.isNaN(value.getTime())) return null;
  return value
    .toISOString()
    .slice(0, type === 'date' ? 10 : 19)
    .replace('T', ' ');
}

function cell(value: StoredValue | bigint): SqlCell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
