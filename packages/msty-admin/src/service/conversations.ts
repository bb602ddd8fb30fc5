import type { Row } from '../backends/interface.ts';
import {
  conversationsAsCsv,
  conversationsAsMarkdown,
  type ExportedConversation,
  messageText,
} from '../domain/conversation-export.ts';
import { epochSql, isoTime } from '../domain/epoch.ts';
import { redactText } from '../domain/redact.ts';
import { quoted } from '../domain/table-map.ts';
import { likePatterns } from '../domain/text-match.ts';
import { daysAgo } from '../domain/timeframe.ts';
import { messageMatches, titleMatches } from './conversation-search.ts';
import type { ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';
import { columnOrNull, type Talks, talksIn } from './talks.ts';

const EXPORT_BATCH = 500;
const MAX_EXPORT_CHARS = 4_000_000;

export type ExportFormat = 'json' | 'markdown' | 'csv';

/** Conversations: taking them out and finding them again. */
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
      const talks = talksIn(studio);
      const chosen = conversationRows(talks, since, request.model, request.limit);
      const conversations = withMessages(talks, chosen);
      const isCut = conversations.length < chosen.length;
      return { hasMessages: talks.messages !== undefined, conversations, isCut };
    });
    const { conversations, hasMessages, isCut } = result;
    return {
      format: request.format,
      count: conversations.length,
      includes_messages: hasMessages,
      truncated: isCut,
      ...(request.format === 'json' && { conversations }),
      ...(request.format === 'markdown' && { content: conversationsAsMarkdown(conversations) }),
      ...(request.format === 'csv' && { content: conversationsAsCsv(conversations) }),
      ...found,
    };
  }

  async search(words: string, type: 'keyword' | 'title', limit: number) {
    const { result, found } = await this.#studio.read((studio) => {
      const talks = talksIn(studio);
      const titles = titleMatches(talks, words, limit);
      const messages = type === 'title' ? [] : messageMatches(talks, words, limit - titles.length);
      return { matches: [...titles, ...messages], searchesMessages: talks.messages?.columns.content !== undefined };
    });
    return {
      query: words,
      search_type: type,
      matches: result.matches,
      count: result.matches.length,
      messages_searched: type === 'keyword' && result.searchesMessages,
      ...found,
    };
  }
}

function conversationRows(
  { view, conversations, messages, usage }: Talks,
  since: number | undefined,
  model: string | undefined,
  limit: number,
): Row[] {
  const { id, createdAt, lastActivityAt, model: own } = conversations.columns;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const active = lastActivityAt ?? createdAt;
  if (since !== undefined && active) {
    conditions.push(`${epochSql(quoted(active))} >= ?`);
    values.push(since);
  }
  if (model !== undefined) {
    const key = `CAST(${quoted(id ?? 'rowid')} AS TEXT)`;
    const places = [
      ...(own ? [`${quoted(own)} LIKE ? ESCAPE '\\'`] : []),
      ...(usage
        ? [`${key} IN (SELECT CAST(conversationId AS TEXT) FROM ${quoted(usage)} WHERE modelId LIKE ? ESCAPE '\\')`]
        : []),
      ...(messages?.columns.model && messages.columns.conversationId
        ? [
            `${key} IN (SELECT CAST(${quoted(messages.columns.conversationId)} AS TEXT) FROM ${quoted(messages.table)} WHERE ${quoted(messages.columns.model)} LIKE ? ESCAPE '\\')`,
          ]
        : []),
    ];
    conditions.push(places.length > 0 ? `(${places.join(' OR ')})` : '0');
    values.push(...places.map(() => likePatterns(model)[0] ?? '%'));
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const order = active ? ` ORDER BY ${epochSql(quoted(active))} DESC` : '';
  return view
    .all(`SELECT * FROM ${quoted(conversations.table)}${where}${order} LIMIT ?`, ...values, limit)
    .map((row) => ({
      id: id ? row[id] : null,
      title: conversations.columns.title ? row[conversations.columns.title] : null,
      created: createdAt ? row[createdAt] : null,
      model: own ? row[own] : null,
    }));
}

/** In batches, until the answer is as long as one can be. */
function withMessages(talks: Talks, chosen: readonly Row[]): ExportedConversation[] {
  const conversations: ExportedConversation[] = [];
  let chars = 0;
  for (let from = 0; from < chosen.length; from += EXPORT_BATCH) {
    const batch = chosen.slice(from, from + EXPORT_BATCH);
    const said = messagesOf(
      talks,
      batch.map(({ id }) => String(id)),
    );
    for (const row of batch) {
      const conversation = exported(row, said);
      chars += conversation.messages.reduce((sum, { content }) => sum + content.length, 100);
      if (chars > MAX_EXPORT_CHARS && conversations.length > 0) return conversations;
      conversations.push(conversation);
    }
  }
  return conversations;
}

function messagesOf({ view, messages }: Talks, ids: readonly string[]): Map<string, Row[]> {
  const said = new Map<string, Row[]>();
  const columns = messages?.columns;
  if (!messages || !columns?.conversationId) return said;
  const order = columns.createdAt ? `${epochSql(quoted(columns.createdAt))}, ` : '';
  const rows = view.all(
    `SELECT CAST(${quoted(columns.conversationId)} AS TEXT) AS conversation, ${columnOrNull(columns.role)} AS role,
      ${columnOrNull(columns.content)} AS content, ${columnOrNull(columns.createdAt)} AS created, ${columnOrNull(columns.model)} AS model
    FROM ${quoted(messages.table)} WHERE CAST(${quoted(columns.conversationId)} AS TEXT) IN (SELECT value FROM json_each(?))
    ORDER BY ${order}${columnOrNull(columns.id)}`,
    JSON.stringify(ids),
  );
  for (const row of rows) {
    const key = String(row.conversation);
    const before = said.get(key);
    if (before) before.push(row);
    else said.set(key, [row]);
  }
  return said;
}

function exported(row: Row, said: ReadonlyMap<string, Row[]>): ExportedConversation {
  const messages = said.get(String(row.id)) ?? [];
  const models = [row.model, ...messages.map(({ model }) => model)].filter(
    (model) => typeof model === 'string' && model,
  );
  return {
    id: String(row.id),
    title: redactText(String(row.title ?? 'Untitled')),
    created_at: isoTime(row.created),
    models: [...new Set(models as string[])],
    messages: messages.map(({ role, content, created }) => ({
      role: String(role ?? 'unknown'),
      content: redactText(messageText(content)),
      created_at: isoTime(created),
    })),
  };
}
