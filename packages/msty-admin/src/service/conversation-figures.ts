import { epochSql, isoTime } from '../domain/epoch.ts';
import { quoted } from '../domain/table-map.ts';
import { daysAgo } from '../domain/timeframe.ts';

import type { ServiceOptions } from './options.ts';
import { countRows, type Studio } from './studio.ts';
import { columnOrNull, talksIn } from './talks.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Conversations in numbers. */
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
      const { view, conversations, messages } = talksIn(studio);
      const active = conversations.columns.lastActivityAt;
      const recent = (table: string, column: string | undefined) =>
        column ? countRows(view, table, `${epochSql(quoted(column))} >= ?`, since) : null;
      const total = studio.count('conversations');
      const said = studio.count('messages');
      const [last] = active
        ? view.all(`SELECT max(${epochSql(quoted(active))}) AS last FROM ${quoted(conversations.table)}`)
        : [];
      return {
        total_conversations: total,
        total_messages: said,
        recent_conversations: recent(conversations.table, active),
        recent_messages: messages ? recent(messages.table, messages.columns.createdAt) : null,
        avg_messages_per_conversation: total > 0 ? Math.round((said / total) * 10) / 10 : null,
        messages_by_role: messages?.columns.role ? counts(view, messages.table, messages.columns.role) : {},
        last_activity_at: isoTime(last?.last ?? null),
      };
    });
    return { days, ...result, ...found };
  }

  /** When and with what people talk, over the last days. */
  async patterns(days: number) {
    const since = daysAgo(days, this.#options.now());
    const { result, found } = await this.#studio.read((studio) => {
      const { view, conversations, messages, usage } = talksIn(studio);
      const { createdAt, lastActivityAt } = conversations.columns;
      const active = lastActivityAt ?? createdAt;
      const seconds = active ? epochSql(quoted(active)) : null;
      const by = (format: string) =>
        seconds
          ? view.all(
              `SELECT strftime('${format}', ${seconds}, 'unixepoch') AS slot, count(*) AS n FROM ${quoted(conversations.table)}
              WHERE ${seconds} >= ? GROUP BY slot ORDER BY slot`,
              since,
            )
          : [];
      const hours = Object.fromEntries(by('%H').map(({ slot, n }) => [String(slot), Number(n)]));
      const weekdays = Object.fromEntries(by('%w').map(({ slot, n }) => [WEEKDAYS[Number(slot)] ?? '', Number(n)]));
      const recent = Object.values(hours).reduce((sum, n) => sum + n, 0);
      const [length] = messages
        ? view.all(
            `SELECT avg(length(${columnOrNull(messages.columns.content)})) AS chars FROM ${quoted(messages.table)}`,
          )
        : [];
      return {
        recent_conversations: recent,
        conversations_per_day: Math.round((recent / days) * 100) / 100,
        by_hour_utc: hours,
        by_weekday_utc: weekdays,
        busiest_hour_utc: busiest(hours),
        busiest_weekday_utc: busiest(weekdays),
        avg_message_chars: typeof length?.chars === 'number' ? Math.round(length.chars) : null,
        top_models: usage
          ? view
              .all(`SELECT modelId AS id, count(*) AS n FROM ${quoted(usage)} GROUP BY modelId ORDER BY n DESC LIMIT 5`)
              .map(({ id, n }) => ({ model_id: String(id), calls: Number(n) }))
          : [],
      };
    });
    return { days, ...result, ...found };
  }
}

function counts(view: { all(sql: string): Record<string, unknown>[] }, table: string, column: string) {
  const rows = view.all(
    `SELECT ${quoted(column)} AS name, count(*) AS n FROM ${quoted(table)} GROUP BY 1 ORDER BY n DESC LIMIT 20`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
}

function busiest(slots: Record<string, number>): string | null {
  return Object.entries(slots).sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
