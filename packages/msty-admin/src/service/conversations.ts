import type { DatabaseView, Row } from '../backends/interface.ts';
import { redactText } from '../domain/secrets/redact.ts';
import {
  conversationsAsCsv,
  conversationsAsMarkdown,
  type ExportedConversation,
  messageText,
} from '../domain/studio/conversation-export.ts';
import { epochSql, isoTime } from '../domain/studio/epoch.ts';
import { quoted } from '../domain/studio/table-map.ts';
import { likePatterns } from '../domain/studio/text-match.ts';
import { daysAgo } from '../domain/studio/timeframe.ts';
import { messageMatches, titleMatches } from './conversation-search.ts';
import {
  type ConversationSource,
  type ConversationTables,
  columnOrNull,
  conversationTables,
} from './conversation-tables.ts';
import type { ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';

const EXPORT_BATCH = 500;
const MAX_EXPORT_CHARS = 4_000_000;

export type ExportFormat = 'json' | 'markdown' | 'csv';

interface ChosenConversation {
  readonly source: ConversationSource;
  readonly row: Row;
}

/** Export and search of conversations. */
export class ConversationsArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;

  constructor(options: ServiceOptions, studio: Studio) {
    this.#options = options;
    this.#studio = studio;
  }

  async export(request: { format: ExportFormat; days: number | undefined; model: string | undefined; limit: number }) {
    const since = request.days === undefined ? undefined : daysAgo(request.days, this.#options.now());
    const { result, found } = await this.#studio.read((studio) => {
      const tables = conversationTables(studio);
      const chosen = latestConversations(tables, since, request.model, request.limit);
      const conversations = withMessages(tables.view, chosen);
      const includesMessages = tables.sources.some(({ messages }) => messages.length > 0);
      return { includesMessages, conversations, truncated: conversations.length < chosen.length };
    });
    const { conversations, includesMessages, truncated } = result;
    return {
      format: request.format,
      count: conversations.length,
      includesMessages,
      truncated,
      ...(request.format === 'json' && { conversations }),
      ...(request.format === 'markdown' && { content: conversationsAsMarkdown(conversations) }),
      ...(request.format === 'csv' && { content: conversationsAsCsv(conversations) }),
      ...found,
    };
  }

  async search(words: string, type: 'keyword' | 'title', limit: number) {
    const { result, found } = await this.#studio.read((studio) => {
      const tables = conversationTables(studio);
      const titles = titleMatches(tables, words, limit);
      const messages = type === 'title' ? [] : messageMatches(tables, words, limit - titles.length);
      const hasText = tables.sources.some(({ messages }) => messages.some(({ columns }) => columns.content));
      return { matches: [...titles, ...messages], hasText };
    });
    return {
      query: words,
      searchType: type,
      matches: result.matches,
      count: result.matches.length,
      messagesSearched: type === 'keyword' && result.hasText,
      ...found,
    };
  }
}

/** The latest of all tables together. */
function latestConversations(
  { view, sources }: ConversationTables,
  since: number | undefined,
  model: string | undefined,
  limit: number,
): ChosenConversation[] {
  const chosen = sources.flatMap((source) =>
    conversationRows(view, source, since, model, limit).map((row) => ({ source, row })),
  );
  if (sources.length === 1) return chosen;
  const activeAt = ({ row }: ChosenConversation) => (typeof row.active === 'number' ? row.active : -Infinity);
  return chosen.sort((a, b) => activeAt(b) - activeAt(a)).slice(0, limit);
}

function conversationRows(
  view: DatabaseView,
  { conversations, messages, usage }: ConversationSource,
  since: number | undefined,
  model: string | undefined,
  limit: number,
): Row[] {
  const { id, title, createdAt, lastActivityAt, model: ownModel } = conversations.columns;
  const active = lastActivityAt ?? createdAt;
  const activeSql = active ? epochSql(quoted(active)) : 'NULL';
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  if (since !== undefined && active) {
    conditions.push(`${activeSql} >= ?`);
    values.push(since);
  }
  if (model !== undefined) {
    const key = `CAST(${quoted(id ?? 'rowid')} AS TEXT)`;
    const places = [
      ...(ownModel ? [`${quoted(ownModel)} LIKE ? ESCAPE '\\'`] : []),
      ...(usage
        ? [`${key} IN (SELECT CAST(conversationId AS TEXT) FROM ${quoted(usage)} WHERE modelId LIKE ? ESCAPE '\\')`]
        : []),
      ...messages.flatMap(({ table, columns }) =>
        columns.model && columns.conversationId
          ? [
              `${key} IN (SELECT CAST(${quoted(columns.conversationId)} AS TEXT) FROM ${quoted(table)} WHERE ${quoted(columns.model)} LIKE ? ESCAPE '\\')`,
            ]
          : [],
      ),
    ];
    conditions.push(places.length > 0 ? `(${places.join(' OR ')})` : '0');
    values.push(...places.map(() => likePatterns(model)[0] ?? '%'));
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const order = active ? ' ORDER BY active DESC' : '';
  return view.all(
    `SELECT ${columnOrNull(id)} AS id, ${columnOrNull(title)} AS title, ${columnOrNull(createdAt)} AS created,
      ${columnOrNull(ownModel)} AS model, ${activeSql} AS active
    FROM ${quoted(conversations.table)}${where}${order} LIMIT ?`,
    ...values,
    limit,
  );
}

/** In batches, until the answer is as long as one can be. */
function withMessages(view: DatabaseView, chosen: readonly ChosenConversation[]): ExportedConversation[] {
  const conversations: ExportedConversation[] = [];
  let chars = 0;
  for (let from = 0; from < chosen.length; from += EXPORT_BATCH) {
    const batch = chosen.slice(from, from + EXPORT_BATCH);
    const messages = new Map(
      [...new Set(batch.map(({ source }) => source))].map((source) => {
        const ids = batch.flatMap((one) => (one.source === source ? [String(one.row.id)] : []));
        return [source, messagesOf(view, source, ids)];
      }),
    );
    for (const { source, row } of batch) {
      const conversation = exported(source, row, messages.get(source)?.get(String(row.id)) ?? []);
      chars += conversation.messages.reduce((sum, { content }) => sum + content.length, 100);
      if (chars > MAX_EXPORT_CHARS && conversations.length > 0) return conversations;
      conversations.push(conversation);
    }
  }
  return conversations;
}

/** The messages of some conversations by the conversation's id, the oldest first. */
function messagesOf(view: DatabaseView, source: ConversationSource, ids: readonly string[]): Map<string, Row[]> {
  const byConversation = new Map<string, Row[]>();
  const rows = source.messages.flatMap(({ table, columns }) => messageRows(view, table, columns, ids));
  if (source.messages.length > 1) rows.sort((a, b) => Number(a.sent ?? 0) - Number(b.sent ?? 0));
  for (const row of rows) {
    const key = String(row.conversation);
    const earlier = byConversation.get(key);
    if (earlier) earlier.push(row);
    else byConversation.set(key, [row]);
  }
  return byConversation;
}

function messageRows(
  view: DatabaseView,
  table: string,
  columns: ConversationSource['messages'][number]['columns'],
  ids: readonly string[],
): Row[] {
  if (!columns.conversationId) return [];
  const sent = columns.createdAt ? epochSql(quoted(columns.createdAt)) : 'NULL';
  return view.all(
    `SELECT CAST(${quoted(columns.conversationId)} AS TEXT) AS conversation, ${columnOrNull(columns.role)} AS role,
      ${columnOrNull(columns.content)} AS content, ${columnOrNull(columns.createdAt)} AS created,
      ${columnOrNull(columns.model)} AS model, ${sent} AS sent
    FROM ${quoted(table)} WHERE CAST(${quoted(columns.conversationId)} AS TEXT) IN (SELECT value FROM json_each(?))
    ORDER BY sent, ${columnOrNull(columns.id)}`,
    JSON.stringify(ids),
  );
}

function exported({ conversations }: ConversationSource, row: Row, messages: readonly Row[]): ExportedConversation {
  const models = [row.model, ...messages.map(({ model }) => model)].filter(
    (model) => typeof model === 'string' && model,
  );
  return {
    id: String(row.id),
    table: conversations.table,
    title: redactText(String(row.title ?? 'Untitled')),
    createdAt: isoTime(row.created),
    models: [...new Set(models as string[])],
    messages: messages.map(({ role, content, created }) => ({
      role: String(role ?? 'unknown'),
      content: redactText(messageText(content)),
      createdAt: isoTime(created),
    })),
  };
}
