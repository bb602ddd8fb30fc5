import type { MemoryFilter } from '../../domain/organise/memory-filter.ts';
import { writeRows } from '../../domain/results/write-rows.ts';
import type { Organiser } from '../organise/organiser.ts';
import { MAX_ROWS, type TableAnswer, type Tables } from '../tables.ts';
import type { ChartRequest, Charts, DrawnChart } from './charts.ts';
import type { CodeRuns, MadeFile } from './code-runs.ts';

export interface TableQuery extends MemoryFilter {
  readonly memoryIds?: readonly string[] | undefined;
  readonly limit: number;
  readonly signal?: AbortSignal;
  /** Name of a file to write the rows to. */
  readonly name?: string | undefined;
}

export interface TableResult extends TableAnswer {
  readonly files: readonly MadeFile[];
}

export type ChartResult = TableAnswer & DrawnChart;

/** SQL queries, and files and charts of their rows. */
export class TableQueries {
  readonly #options: { organiser: Organiser; tables: Tables; code: CodeRuns; charts: Charts };

  constructor(options: { organiser: Organiser; tables: Tables; code: CodeRuns; charts: Charts }) {
    this.#options = options;
  }

  /** Runs a query; with a name, also writes the rows to a file. */
  async query(sql: string, { limit, signal, name, ...wanted }: TableQuery): Promise<TableResult> {
    const { organiser, tables, code } = this.#options;
    await organiser.check(wanted);
    if (name === undefined) return { ...(await tables.query(sql, wanted, limit, signal)), files: [] };
    const answer = await tables.query(sql, wanted, MAX_ROWS, signal);
    const file = { name, data: Buffer.from(writeRows(name, answer.columns, answer.rows)) };
    const files = await code.files([file], { collections: wanted.collections });
    const isCut = answer.truncated || answer.rows.length > limit;
    return { ...answer, rows: answer.rows.slice(0, limit), truncated: isCut, files };
  }

  async chart(sql: string, chart: ChartRequest, query: Omit<TableQuery, 'limit'>): Promise<ChartResult> {
    const { files: _none, ...answer } = await this.query(sql, { ...query, limit: MAX_ROWS });
    const drawn = await this.#options.charts.draw(answer, chart, query);
    return { ...answer, ...drawn, notice: [answer.notice, drawn.notice].filter(Boolean).join(' ') || undefined };
  }
}
