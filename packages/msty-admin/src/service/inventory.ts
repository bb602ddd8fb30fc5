import { carried, openedRow } from '../domain/studio/cell.ts';
import { createdColumn } from '../domain/studio/columns.ts';
import { epochSql } from '../domain/studio/epoch.ts';
import { quoted, type StudioTable } from '../domain/studio/table-map.ts';
import { type Timeframe, timeframeStart } from '../domain/studio/timeframe.ts';
import { invalidParameter } from '../errors.ts';
import { ENTITIES } from '../schemas.ts';
import type { ServiceOptions } from './options.ts';
import { countRows, type Studio } from './studio.ts';

const SUMS = ['promptTokens', 'completionTokens', 'totalTokens', 'totalCostInUSD'] as const;
const AVERAGES = ['tokensPerSec', 'timeToFirstResponseInSec'] as const;

/** Lists of what Studio holds, and its own records of use. */
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
      total: countRows(studio.view, studio.table(table)),
    }));
    return { items: result.items, count: result.items.length, total: result.total, ...found };
  }

  /** The same with the folders that hold the rows; null when there is no table of folders. */
  async listWithFolders(table: StudioTable, foldersTable: StudioTable, limit: number) {
    const list = await this.list(table, limit);
    const { result: folders } = await this.#studio.read((studio) =>
      studio.findAll(foldersTable).length > 0 ? carried(studio.rows(foldersTable, limit).map(openedRow)) : null,
    );
    return { ...list, folders };
  }

  /** Every kind of entity with its table and number of rows; null where this database has no such table. */
  async catalogue() {
    const { result, found } = await this.#studio.read((studio) =>
      ENTITIES.map((entity) => {
        const table = studio.findAll(entity)[0] ?? null;
        return { entity, table, count: table === null ? null : countRows(studio.view, table) };
      }),
    );
    return { entities: result, ...found };
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
    return { entity: table, entityId: id, item: result, ...found };
  }

  /** Use of models as Studio itself recorded it. What this version did not record is null. */
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
      const select = [
        ...SUMS.map((column) => `${of('sum', column)} AS ${quoted(column)}`),
        ...AVERAGES.map((column) => `${of('avg', column)} AS ${quoted(column)}`),
      ].join(', ');
      const values = conditions.map(({ value }) => value);
      const rows = view.all(
        `SELECT modelId, count(*) AS calls, ${select} FROM ${quoted(name)}${where} GROUP BY modelId ORDER BY calls DESC`,
        ...values,
      );
      const days = created
        ? view.all(
            `SELECT date(${epochSql(quoted(created))}, 'unixepoch') AS day, count(*) AS calls,
              ${of('sum', 'totalTokens')} AS totalTokens
            FROM ${quoted(name)}${where} GROUP BY day HAVING day IS NOT NULL ORDER BY day`,
            ...values,
          )
        : [];
      return { rows, days, recorded: new Set(columns) };
    });
    const models = result.rows.map((row) => ({
      modelId: String(row.modelId ?? 'unknown'),
      calls: Number(row.calls),
      promptTokens: numberOrNull(row.promptTokens),
      completionTokens: numberOrNull(row.completionTokens),
      totalTokens: numberOrNull(row.totalTokens),
      costUsd: numberOrNull(row.totalCostInUSD),
      avgTokensPerSec: average(row.tokensPerSec),
      avgTimeToFirstResponseSec: average(row.timeToFirstResponseInSec),
    }));
    const total = (column: (typeof SUMS)[number]) =>
      result.recorded.has(column) ? result.rows.reduce((sum, row) => sum + (numberOrNull(row[column]) ?? 0), 0) : null;
    return {
      timeframe,
      totals: {
        calls: models.reduce((sum, { calls }) => sum + calls, 0),
        promptTokens: total('promptTokens'),
        completionTokens: total('completionTokens'),
        totalTokens: total('totalTokens'),
        costUsd: total('totalCostInUSD'),
      },
      models,
      daily: result.days.map(({ day, calls, totalTokens }) => ({
        day: String(day),
        calls: Number(calls),
        totalTokens: numberOrNull(totalTokens),
      })),
      ...found,
    };
  }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function average(value: unknown): number | null {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : null;
}
