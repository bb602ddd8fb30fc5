import type { DatabaseView } from '../backends/interface.ts';
import { messageText } from '../domain/conversation-export.ts';
import { isoTime } from '../domain/epoch.ts';
import { redactText } from '../domain/redact.ts';
import { quoted } from '../domain/table-map.ts';
import { likePatterns, snippet } from '../domain/text-match.ts';
import { columnOrNull, type Talks } from './talks.ts';

/** Conversations with the words in their titles. */
export function titleMatches({ view, conversations }: Talks, words: string, limit: number) {
  const { id, title, createdAt } = conversations.columns;
  if (!title) return [];
  const patterns = likePatterns(words);
  const rows = view.all(
    `SELECT ${columnOrNull(id)} AS id, ${quoted(title)} AS title, ${columnOrNull(createdAt)} AS created
    FROM ${quoted(conversations.table)} WHERE ${anyOf(quoted(title), patterns)} LIMIT ?`,
    ...patterns,
    limit,
  );
  return rows.map((row) => ({
    conversation_id: String(row.id),
    title: redactText(String(row.title ?? 'Untitled')),
    matched_in: 'title' as const,
    role: null,
    snippet: snippet(redactText(String(row.title)), words),
    created_at: isoTime(row.created),
  }));
}

/** The latest messages first: rows are walked from the end, so that a full page ends the search. */
export function messageMatches({ view, conversations, messages }: Talks, words: string, limit: number) {
  if (!messages?.columns.content || limit <= 0) return [];
  const { content, role, createdAt, conversationId } = messages.columns;
  const patterns = likePatterns(words);
  const rows = view.all(
    `SELECT ${columnOrNull(conversationId)} AS conversation, ${quoted(content)} AS content, ${columnOrNull(role)} AS role,
      ${columnOrNull(createdAt)} AS created
    FROM ${quoted(messages.table)} WHERE ${anyOf(quoted(content), patterns)}${latestFirst(view, messages.table)} LIMIT ?`,
    ...patterns,
    limit,
  );
  const titles = titlesOf(view, conversations, [...new Set(rows.map((row) => String(row.conversation)))]);
  return rows.map((row) => ({
    conversation_id: String(row.conversation),
    title: redactText(titles.get(String(row.conversation)) ?? 'Untitled'),
    matched_in: 'message' as const,
    role: row.role === null ? null : String(row.role),
    snippet: snippet(redactText(messageText(row.content)), words),
    created_at: isoTime(row.created),
  }));
}

function titlesOf(view: DatabaseView, { table, columns }: Talks['conversations'], ids: readonly string[]) {
  if (!columns.id || !columns.title || ids.length === 0) return new Map<string, string>();
  const rows = view.all(
    `SELECT ${quoted(columns.id)} AS id, ${quoted(columns.title)} AS title FROM ${quoted(table)}
    WHERE CAST(${quoted(columns.id)} AS TEXT) IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id, title }) => [String(id), String(title ?? 'Untitled')]));
}

function latestFirst(view: DatabaseView, table: string): string {
  const [definition] = view.all("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  return /without\s+rowid/i.test(String(definition?.sql)) ? '' : ' ORDER BY rowid DESC';
}

function anyOf(column: string, patterns: readonly string[]): string {
  return `(${patterns.map(() => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`;
}
