import type { DatabaseView, Row } from '../backends/interface.ts';
import { redactText } from '../domain/secrets/redact.ts';
import { messageText } from '../domain/studio/conversation-export.ts';
import { isoTime } from '../domain/studio/epoch.ts';
import { quoted } from '../domain/studio/table-map.ts';
import { likePatterns, snippet } from '../domain/studio/text-match.ts';
import { type ConversationSource, type ConversationTables, columnOrNull } from './conversation-tables.ts';

export interface Match {
  readonly conversationId: string;
  readonly title: string;
  readonly table: string;
  readonly matchedIn: 'title' | 'message';
  readonly role: string | null;
  readonly snippet: string;
  readonly createdAt: string | null;
}

/** Conversations with the words in their titles. */
export function titleMatches({ view, sources }: ConversationTables, words: string, limit: number): Match[] {
  return sources.flatMap(({ conversations }) => titlesLike(view, conversations, words, limit)).slice(0, limit);
}

/** The latest messages first, out of every table that holds messages. */
export function messageMatches({ view, sources }: ConversationTables, words: string, limit: number): Match[] {
  if (limit <= 0) return [];
  const found = sources.flatMap((source) =>
    source.messages.map((messages) => messagesLike(view, source.conversations, messages, words, limit)),
  );
  // One table is in order already, also where it has no times.
  if (found.length === 1) return found.flat();
  const latestFirst = (a: Match, b: Match) => (b.createdAt ?? '').localeCompare(a.createdAt ?? '');
  return found.flat().sort(latestFirst).slice(0, limit);
}

function titlesLike(
  view: DatabaseView,
  { table, columns }: ConversationSource['conversations'],
  words: string,
  limit: number,
): Match[] {
  const { id, title, createdAt } = columns;
  if (!title) return [];
  const patterns = likePatterns(words);
  const rows = view.all(
    `SELECT ${columnOrNull(id)} AS id, ${quoted(title)} AS title, ${columnOrNull(createdAt)} AS created
    FROM ${quoted(table)} WHERE ${anyOf(quoted(title), patterns)} LIMIT ?`,
    ...patterns,
    limit,
  );
  return rows.map((row) => ({
    conversationId: String(row.id),
    title: redactText(String(row.title ?? 'Untitled')),
    table,
    matchedIn: 'title',
    role: null,
    snippet: snippet(redactText(String(row.title)), words),
    createdAt: isoTime(row.created),
  }));
}

/** Rows are read from the end of the table, so that a full page ends the search. */
function messagesLike(
  view: DatabaseView,
  conversations: ConversationSource['conversations'],
  { table, columns }: ConversationSource['messages'][number],
  words: string,
  limit: number,
): Match[] {
  if (!columns.content) return [];
  const { content, role, createdAt, conversationId } = columns;
  const patterns = likePatterns(words);
  const rows: Row[] = view.all(
    `SELECT ${columnOrNull(conversationId)} AS conversation, ${quoted(content)} AS content, ${columnOrNull(role)} AS role,
      ${columnOrNull(createdAt)} AS created
    FROM ${quoted(table)} WHERE ${anyOf(quoted(content), patterns)}${latestRowsFirst(view, table)} LIMIT ?`,
    ...patterns,
    limit,
  );
  const titles = titlesOf(view, conversations, [...new Set(rows.map((row) => String(row.conversation)))]);
  return rows.map((row) => ({
    conversationId: String(row.conversation),
    title: redactText(titles.get(String(row.conversation)) ?? 'Untitled'),
    table: conversations.table,
    matchedIn: 'message',
    role: row.role === null ? null : String(row.role),
    snippet: snippet(redactText(messageText(row.content)), words),
    createdAt: isoTime(row.created),
  }));
}

function titlesOf(
  view: DatabaseView,
  { table, columns }: ConversationSource['conversations'],
  ids: readonly string[],
): Map<string, string> {
  if (!columns.id || !columns.title || ids.length === 0) return new Map();
  const rows = view.all(
    `SELECT ${quoted(columns.id)} AS id, ${quoted(columns.title)} AS title FROM ${quoted(table)}
    WHERE CAST(${quoted(columns.id)} AS TEXT) IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id, title }) => [String(id), String(title ?? 'Untitled')]));
}

function latestRowsFirst(view: DatabaseView, table: string): string {
  const [definition] = view.all("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  return /without\s+rowid/i.test(String(definition?.sql)) ? '' : ' ORDER BY rowid DESC';
}

function anyOf(column: string, patterns: readonly string[]): string {
  return `(${patterns.map(() => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`;
}
