import type { DatabaseView } from '../backends/interface.ts';
import {
  type ConversationColumns,
  conversationColumns,
  type MessageColumns,
  messageColumns,
} from '../domain/columns.ts';
import { quoted } from '../domain/table-map.ts';
import type { StudioView } from './studio.ts';

/** The tables of conversations and messages with the columns they have in this database. */
export interface Talks {
  readonly view: DatabaseView;
  readonly conversations: { readonly table: string; readonly columns: ConversationColumns };
  readonly messages: { readonly table: string; readonly columns: MessageColumns } | undefined;
  /** Studio's record of which model answered in which conversation, where it keeps one. */
  readonly usage: string | undefined;
}

export function talksIn({ view, table, find }: StudioView): Talks {
  const conversations = table('conversations');
  const messages = find('messages');
  const usage = find('usage');
  const usageColumns = usage ? view.columns(usage) : [];
  return {
    view,
    conversations: { table: conversations, columns: conversationColumns(view.columns(conversations)) },
    messages: messages ? { table: messages, columns: messageColumns(view.columns(messages)) } : undefined,
    usage: ['modelId', 'conversationId'].every((name) => usageColumns.includes(name)) ? usage : undefined,
  };
}

/** The column for a statement; what this schema lacks is NULL. */
export function columnOrNull(column: string | undefined): string {
  return column ? quoted(column) : 'NULL';
}
