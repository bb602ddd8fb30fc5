import { ToolError } from '@atoll-mcp/core';
import type { DatabaseCandidate, DatabaseView, Row, SqlValue } from '../backends/interface.ts';
import { createdColumn } from '../domain/columns.ts';
import { epochSql } from '../domain/epoch.ts';
import { showPath } from '../domain/home-path.ts';
import {
  type MstySchema,
  physicalTable,
  quoted,
  type Schema,
  type StudioTable,
  schemaOf,
} from '../domain/table-map.ts';
import { databaseNotFound, notMstyDatabase, tableAbsent } from '../errors.ts';
import type { ServiceOptions } from './options.ts';

/** Msty's database with the logical names of its tables. */
export interface StudioView {
  readonly view: DatabaseView;
  readonly schema: MstySchema;
  readonly tables: readonly string[];
  /** The real table behind a name, if this database has it. */
  find(name: StudioTable): string | undefined;
  /** The same, and its absence is an answer. */
  table(name: StudioTable): string;
  count(name: StudioTable): number;
  /** The newest rows first, where the table says when. */
  rows(name: StudioTable, limit: number): Row[];
}

export interface StudioAnswer<Result> {
  readonly result: Result;
  readonly found: { readonly schema: MstySchema; readonly stale_possible: boolean };
}

/** Finds Msty's database and reads from it. */
export class Studio {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  async read<Result>(work: (studio: StudioView) => Result): Promise<StudioAnswer<Result>> {
    const { backends, home } = this.#options;
    let explicit: string | undefined;
    for await (const candidate of backends.installation.databaseCandidates()) {
      if (candidate.isExplicit) explicit = showPath(candidate.path, home);
      if (!candidate.isExplicit && !(await backends.database.isSqlite(candidate.path))) continue;
      const answer = await this.#tryOn(candidate, work);
      if (answer) return answer;
    }
    throw databaseNotFound(explicit);
  }

  /** Where the database is, whether or not it can be read; null when there is none. */
  async locate(): Promise<string | null> {
    const { backends } = this.#options;
    for await (const candidate of backends.installation.databaseCandidates()) {
      if (!(await backends.database.isSqlite(candidate.path))) continue;
      const found = await this.#tryOn(candidate, () => true).catch((error: unknown) => {
        if (!(error instanceof ToolError)) throw error;
        return error.code === 'DATABASE_CONNECTION_ERROR';
      });
      if (found) return candidate.path;
    }
    return null;
  }

  async #tryOn<Result>(
    { path, isExplicit, needsProof }: DatabaseCandidate,
    work: (studio: StudioView) => Result,
  ): Promise<StudioAnswer<Result> | undefined> {
    let seen: Schema | undefined;
    try {
      const { result, stalePossible } = await this.#options.backends.database.read(path, (view) => {
        const tables = view.tables();
        seen = schemaOf(tables);
        if (seen !== 'drizzle' && seen !== 'legacy') return undefined;
        return { schema: seen, value: work(studioView(view, seen, tables)) };
      });
      if (result) return { result: result.value, found: { schema: result.schema, stale_possible: stalePossible } };
    } catch (error) {
      // One of many files that merely looks like SQLite is no reason to stop looking.
      if (needsProof && seen === undefined && error instanceof ToolError) return undefined;
      throw error;
    }
    if (isExplicit) throw notMstyDatabase(showPath(path, this.#options.home), seen ?? 'unknown');
    return undefined;
  }
}

function studioView(view: DatabaseView, schema: MstySchema, tables: readonly string[]): StudioView {
  const find = (name: StudioTable) => physicalTable(name, schema, tables);
  const table = (name: StudioTable) => {
    const found = find(name);
    if (!found) throw tableAbsent(name);
    return found;
  };
  return {
    view,
    schema,
    tables,
    find,
    table,
    count: (name) => {
      const found = find(name);
      return found ? countRows(view, found) : 0;
    },
    rows: (name, limit) => {
      const found = table(name);
      const from = quoted(found);
      const created = createdColumn(view.columns(found));
      if (!created) return view.all(`SELECT * FROM ${from} LIMIT ?`, limit);
      const newest = `ORDER BY ${epochSql(quoted(created))} DESC LIMIT ?`;
      if (!hasRowNumbers(view, found)) return view.all(`SELECT * FROM ${from} ${newest}`, limit);
      // Sorting numbers leaves the texts of all other rows alone.
      const chosen = `SELECT _rowid_ FROM ${from} ${newest}`;
      return view.all(`SELECT * FROM ${from} WHERE _rowid_ IN (${chosen}) ${newest}`, limit, limit);
    },
  };
}

/** Under its own name a table has an index only when it is WITHOUT ROWID. */
function hasRowNumbers(view: DatabaseView, table: string): boolean {
  return view.all('SELECT 1 FROM pragma_index_info(?)', table).length === 0;
}

export function countRows(view: DatabaseView, table: string, where = '', ...values: SqlValue[]): number {
  const [row] = view.all(`SELECT count(*) AS n FROM ${quoted(table)}${where && ` WHERE ${where}`}`, ...values);
  return Number(row?.n ?? 0);
}
