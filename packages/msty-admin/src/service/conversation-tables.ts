import type { DatabaseView } from '../backends/interface.ts';
import {
  type ConversationColumns,
  conversationColumns,
  type MessageColumns,
  messageColumns,
  referencedTable,
} from '../domain/studio/columns.ts';
import { quoted } from '../domain/studio/table-map.ts';
import type { StudioView } from './studio.ts';

interface TableColumns<Columns> {
  readonly table: string;
  readonly columns: Columns;
}

/** A table of conversations with the tables that hold their messages. */
export interface ConversationSource {
  readonly conversations: TableColumns<ConversationColumns>;
  readonly messages: readonly TableColumns<MessageColumns>[];
  /** Studio's record of which model answered in which conversation, where it keeps one. */
  readonly usage: string | undefined;
}

/** Every table of conversations in this database: older versions of Msty kept several side by side. */
export interface ConversationTables {
  readonly view: DatabaseView;
  readonly sources: readonly ConversationSource[];
}

export function conversationTables(studio: StudioView): ConversationTables {
  const { view } = studio;
  const preferred = studio.table('conversations');
  const tables = studio.findAll('conversations');
  const messages = studio.findAll('messages').map((table) => ({ table, columns: messageColumns(view.columns(table)) }));
  const [usage] = studio.findAll('usage');
  const usageColumns = usage ? view.columns(usage) : [];
  const hasUsage = ['modelId', 'conversationId'].every((name) => usageColumns.includes(name));
  return {
    view,
    sources: tables.map((table) => ({
      conversations: { table, columns: conversationColumns(view.columns(table)) },
      messages: messages.filter(({ columns }) => referencedTable(columns.conversationId, tables) === table),
      usage: hasUsage && table === preferred ? usage : undefined,
    })),
  };
}

/** The column for a statement; what this schema lacks is NULL. */
export function columnOrNull(column: string | undefined): string {
  return column ? quoted(column) : 'NULL';
}
