import { carried, openedRow } from '../domain/cell.ts';
import { createdColumn } from '../domain/columns.ts';
import { epochSql } from '../domain/epoch.ts';
import { quoted, type StudioTable } from '../domain/table-map.ts';
import { type Timeframe, timeframeStart } from '../domain/timeframe.ts';
import { invalidParameter } from '../errors.ts';
import type { ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';

/** What Studio holds, kind by kind. */
export class InventoryArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;

  constructor(options: ServiceOptions, studio: Studio) {
    this.#options = options;
    this.#studio = studio;
  }

  async list(table: StudioTable, limit: number) {
    const { result, found } = await this.#studio.read((studio) => ({
      items: carried(studio.rows(table, limit).map(openedRow)),
      total: studio.count(table),
    }));
    return { items: result.items, count: result.items.length, total: result.total, ...found };
  }

  async entity(table: StudioTable, id: string) {
    const { result, found } = await this.#studio.read((studio) => {
      const name = studio.table(table);
      const [row] = studio.view.all(`SELECT * FROM ${quoted(name)} WHERE CAST(id AS TEXT) = ? LIMIT 1`, id);
      return row ? openedRow(row) : undefined;
    });
    if (!result) {
      throw invalidParameter(
        `Nothing among ${table} has the id "${id}"`,
        'List the entities first; each item has its id',
      );
    }
    return { entity: table, entity_id: id, item: result, ...found };
  }

  /** Use of models as Studio itself has counted it. */
  async usage(modelId: string | undefined, timeframe: Timeframe) {
    const since = timeframeStart(timeframe, this.#options.now());
    const { result, found } = await this.#studio.read(({ view, table }) => {
      const name = table('usage');
      const columns = view.columns(name);
      const created = createdColumn(columns);
      const byModel = modelId === undefined ? [] : [{ sql: 'modelId = ?', value: modelId }];
      const byTime = since === null || !created ? [] : [{ sql: `${epochSql(quoted(created))} >= ?`, value: since }];
      const conditions = [...byModel, ...byTime];
      const where = conditions.length > 0 ? ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
      // Older versions of Studio recorded less.
      const of = (fold: 'sum' | 'avg', column: string) =>
        columns.includes(column) ? `${fold}(${quoted(column)})` : 'NULL';
      const rows = view.all(
        `SELECT modelId AS model_id, count(*) AS calls, ${of('sum', 'promptTokens')} AS prompt_tokens,
          ${of('sum', 'completionTokens')} AS completion_tokens, ${of('sum', 'totalTokens')} AS total_tokens,
          ${of('sum', 'totalCostInUSD')} AS cost_usd, ${of('avg', 'tokensPerSec')} AS avg_tokens_per_sec,
          ${of('avg', 'timeToFirstResponseInSec')} AS avg_time_to_first_response_sec
        FROM ${quoted(name)}${where} GROUP BY modelId ORDER BY calls DESC`,
        ...conditions.map(({ value }) => value),
      );
      const days = created
        ? view.all(
            `SELECT date(${epochSql(quoted(created))}, 'unixepoch') AS day, count(*) AS calls,
              ${of('sum', 'totalTokens')} AS total_tokens
            FROM ${quoted(name)}${where} GROUP BY day HAVING day IS NOT NULL ORDER BY day`,
            ...conditions.map(({ value }) => value),
          )
        : [];
      return { rows, days };
    });
    const models = result.rows.map((row) => ({
      model_id: String(row.model_id ?? 'unknown'),
      calls: figure(row.calls),
      prompt_tokens: figure(row.prompt_tokens),
      completion_tokens: figure(row.completion_tokens),
      total_tokens: figure(row.total_tokens),
      cost_usd: figure(row.cost_usd),
      avg_tokens_per_sec: average(row.avg_tokens_per_sec),
      avg_time_to_first_response_sec: average(row.avg_time_to_first_response_sec),
    }));
    const total = (key: 'calls' | 'prompt_tokens' | 'completion_tokens' | 'total_tokens' | 'cost_usd') =>
      models.reduce((sum, model) => sum + model[key], 0);
    return {
      timeframe,
      totals: {
        calls: total('calls'),
        prompt_tokens: total('prompt_tokens'),
        completion_tokens: total('completion_tokens'),
        total_tokens: total('total_tokens'),
        cost_usd: total('cost_usd'),
      },
      models,
      daily: result.days.map(({ day, calls, total_tokens }) => ({
        day: String(day),
        calls: figure(calls),
        total_tokens: figure(total_tokens),
      })),
      ...found,
    };
  }
}

function figure(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function average(value: unknown): number | null {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : null;
}
