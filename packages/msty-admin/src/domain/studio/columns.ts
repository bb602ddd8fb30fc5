/** The columns that mean the same thing under different names in the schemas there are. */
export interface ConversationColumns {
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly createdAt: string | undefined;
  readonly lastActivityAt: string | undefined;
  readonly model: string | undefined;
}

export interface MessageColumns {
  readonly id: string | undefined;
  readonly conversationId: string | undefined;
  readonly role: string | undefined;
  readonly content: string | undefined;
  readonly createdAt: string | undefined;
  readonly model: string | undefined;
}

const CREATED = ['createdAt', 'created_at', 'timestamp', 'created', 'date', 'insertedAt', 'sentAt'];
const MODEL = ['modelId', 'model_id', 'model', 'modelName', 'model_name', 'languageModelId'];

export function conversationColumns(columns: readonly string[]): ConversationColumns {
  return {
    id: pick(columns, ['id', 'uuid', 'conversationId', 'conversation_id']),
    title: pick(columns, ['title', 'name', 'subject']),
    createdAt: pick(columns, CREATED),
    lastActivityAt: pick(columns, ['lastActivityAt', 'last_activity_at', 'updatedAt', 'updated_at', ...CREATED]),
    model: pick(columns, MODEL),
  };
}

export function messageColumns(columns: readonly string[]): MessageColumns {
  return {
    id: pick(columns, ['id', 'uuid', 'messageId', 'message_id']),
    conversationId:
      pick(columns, [
        'conversationTextId',
        'conversationId',
        'conversation_id',
        'conversation_text_id',
        'chatId',
        'chat_id',
        'chatSessionId',
        'chat_session_id',
        'sessionId',
        'session_id',
      ]) ?? columns.find((column) => /^(?:conversation|chat|session)\w*id$/i.test(column)),
    role: pick(columns, ['role', 'sender', 'author', 'type', 'from']),
    content: pick(columns, ['content', 'text', 'message', 'body', 'markdown', 'value', 'contents']),
    createdAt: pick(columns, CREATED),
    model: pick(columns, MODEL),
  };
}

/** The table that a column such as `chat_id` points to: the one of that name, else a similar one, else the first. */
export function referencedTable(column: string | undefined, tables: readonly string[]): string | undefined {
  const stem = plainName(column ?? '').replace(/id$/, '');
  const named = (test: (name: string) => boolean) => tables.find((table) => test(plainName(table).replace(/s$/, '')));
  if (stem === '') return tables[0];
  return named((name) => name === stem) ?? named((name) => name.startsWith(stem) || name.endsWith(stem)) ?? tables[0];
}

function plainName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

export function createdColumn(columns: readonly string[]): string | undefined {
  return pick(columns, CREATED);
}

function pick(columns: readonly string[], names: readonly string[]): string | undefined {
  return names.find((name) => columns.includes(name));
}
