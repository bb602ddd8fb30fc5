import type { DatabaseView } from '../backends/interface.ts';
import { epochSql, isoTime } from '../domain/studio/epoch.ts';
import { quoted } from '../domain/studio/table-map.ts';
import { daysAgo } from '../domain/studio/timeframe.ts';
import { columnOrNull, conversationTables } from './conversation-tables.ts';
import type { ServiceOptions } from './options.ts';
import { countRows, type Studio } from './studio.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Conversations in numbers. What no table tells is null. */
export class ConversationFigures {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;

  constructor(options: ServiceOptions, studio: Studio) {
    this.#options = options;
    this.#studio = studio;
  }

  async stats(days: number) {
    const since = daysAgo(days, this.#options.now());
    const { result, found } = await this.#studio.read((studio) => {
      const { view, sources } = conversationTables(studio);
      const messages = sources.flatMap((source) => source.messages);
      const recent = (table: string, column: string | undefined) =>
        column ? countRows(view, table, `${epochSql(quoted(column))} >= ?`, since) : null;
      const totalConversations = studio.count('conversations');
      const totalMessages = studio.count('messages');
      return {
        totalConversations,
        totalMessages,
        recentConversations: total(
          sources.map(({ conversations }) => recent(conversations.table, conversations.columns.lastActivityAt)),
        ),
        recentMessages: total(messages.map(({ table, columns }) => recent(table, columns.createdAt))),
        avgMessagesPerConversation:
          totalConversations && totalMessages !== null
            ? Math.round((totalMessages / totalConversations) * 10) / 10
            : null,
        messagesByRole: merged(
          messages.flatMap(({ table, columns }) => (columns.role ? [countBy(view, table, quoted(columns.role))] : [])),
        ),
        lastActivityAt: isoTime(
          latest(
            view,
            sources.map(({ conversations }) => conversations),
          ),
        ),
      };
    });
    return { days, ...result, ...found };
  }

  /** When and with what people talk, over the last days. */
  async patterns(days: number) {
    const since = daysAgo(days, this.#options.now());
    const { result, found } = await this.#studio.read((studio) => {
      const { view, sources } = conversationTables(studio);
      const timed = sources.flatMap(({ conversations: { table, columns } }) => {
        const active = columns.lastActivityAt ?? columns.createdAt;
        return active ? [{ table, seconds: epochSql(quoted(active)) }] : [];
      });
      const by = (format: string) =>
        merged(
          timed.map(({ table, seconds }) =>
            countBy(view, table, `strftime('${format}', ${seconds}, 'unixepoch')`, `${seconds} >= ?`, since),
          ),
        );
      const hours = inOrder(by('%H'));
      const weekdays = inOrder(by('%w'));
      const byWeekday =
        weekdays &&
        Object.fromEntries(Object.entries(weekdays).map(([day, count]) => [WEEKDAYS[Number(day)] ?? '', count]));
      const recent = hours && Object.values(hours).reduce((sum, count) => sum + count, 0);
      const usage = sources.find((source) => source.usage)?.usage;
      return {
        recentConversations: recent,
        conversationsPerDay: recent === null ? null : Math.round((recent / days) * 100) / 100,
        byHourUtc: hours,
        byWeekdayUtc: byWeekday,
        busiestHourUtc: busiest(hours),
        busiestWeekdayUtc: busiest(byWeekday),
        avgMessageChars: averageLength(
          view,
          sources.flatMap(({ messages }) => messages),
        ),
        topModels: usage ? topModels(view, usage) : null,
      };
    });
    return { days, ...result, ...found };
  }
}

type Counts = Record<string, number>;

function countBy(view: DatabaseView, table: string, sql: string, where = '1', ...values: number[]): Counts {
  const rows = view.all(
    `SELECT ${sql} AS name, count(*) AS n FROM ${quoted(table)} WHERE ${where} GROUP BY 1 ORDER BY n DESC LIMIT 200`,
    ...values,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
}

/** Null when there was no table to count. */
function merged(counts: readonly Counts[]): Counts | null {
  if (counts.length === 0) return null;
  const sums: Counts = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function inOrder(counts: Counts | null): Counts | null {
  return counts && Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function total(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}

function latest(
  view: DatabaseView,
  tables: readonly { table: string; columns: { lastActivityAt: string | undefined } }[],
): number | null {
  const times = tables.flatMap(({ table, columns: { lastActivityAt } }) => {
    if (!lastActivityAt) return [];
    const [row] = view.all(`SELECT max(${epochSql(quoted(lastActivityAt))}) AS last FROM ${quoted(table)}`);
    return typeof row?.last === 'number' ? [row.last] : [];
  });
  return times.length === 0 ? null : Math.max(...times);
}

function averageLength(
  view: DatabaseView,
  tables: readonly { table: string; columns: { content: string | undefined } }[],
): number | null {
  let chars = 0;
  let messages = 0;
  for (const { table, columns } of tables) {
    const length = `length(${columnOrNull(columns.content)})`;
    const [row] = view.all(`SELECT sum(${length}) AS chars, count(${length}) AS n FROM ${quoted(table)}`);
    chars += Number(row?.chars ?? 0);
    messages += Number(row?.n ?? 0);
  }
  return messages === 0 ? null : Math.round(chars / messages);
}

function topModels(view: DatabaseView, usage: string) {
  return view
    .all(`SELECT modelId AS id, count(*) AS n FROM ${quoted(usage)} GROUP BY modelId ORDER BY n DESC LIMIT 5`)
    .map(({ id, n }) => ({ modelId: String(id), calls: Number(n) }));
}

function busiest(counts: Counts | null): string | null {
  return Object.entries(counts ?? {}).sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
