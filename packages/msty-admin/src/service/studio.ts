import { ToolError } from '@atoll-mcp/core';
import type { DatabaseCandidate, DatabaseView, Row, SqlValue } from '../backends/interface.ts';
import { showPath } from '../domain/home-path.ts';
import { createdColumn } from '../domain/studio/columns.ts';
import { epochSql } from '../domain/studio/epoch.ts';
import {
  type MstySchema,
  physicalTables,
  quoted,
  type Schema,
  type StudioTable,
  schemaOf,
} from '../domain/studio/table-map.ts';
import { databaseNotFound, notMstyDatabase, tableAbsent } from '../errors.ts';
import type { ServiceOptions } from './options.ts';

/** Msty's database with the logical names of its tables. */
export interface StudioView {
  readonly view: DatabaseView;
  readonly schema: MstySchema;
  readonly tables: readonly string[];
  /** Every table behind a logical name, the preferred one first. */
  findAll(name: StudioTable): string[];
  /** The preferred one; throws when there is none. */
  table(name: StudioTable): string;
  /** Rows of all tables behind a name; null without any table. */
  count(name: StudioTable): number | null;
  /** The newest rows first, where the table says when. */
  rows(name: StudioTable, limit: number): Row[];
}

interface StudioAnswer<Result> {
  readonly result: Result;
  readonly found: { readonly schema: MstySchema; readonly stalePossible: boolean };
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
      if (result) return { result: result.value, found: { schema: result.schema, stalePossible } };
    } catch (error) {
      // A file that only looks like SQLite does not end the search.
      if (needsProof && seen === undefined && error instanceof ToolError) return undefined;
      throw error;
    }
    if (isExplicit) throw notMstyDatabase(showPath(path, this.#options.home), seen ?? 'unknown');
    return undefined;
  }
}

function studioView(view: DatabaseView, schema: MstySchema, tables: readonly string[]): StudioView {
  const findAll = (name: StudioTable) => physicalTables(name, schema, tables);
  const table = (name: StudioTable) => {
    const [preferred] = findAll(name);
    if (!preferred) throw tableAbsent(name);
    return preferred;
  };
  return {
    view,
    schema,
    tables,
    findAll,
    table,
    count: (name) => {
      const found = findAll(name);
      return found.length === 0 ? null : found.reduce((sum, one) => sum + countRows(view, one), 0);
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
