interface ExportedMessage {
  readonly role: string;
  readonly content: string;
  readonly createdAt: string | null;
}

export interface ExportedConversation {
  readonly id: string;
  readonly table: string;
  readonly title: string;
  readonly createdAt: string | null;
  readonly models: string[];
  readonly messages: ExportedMessage[];
}

export function conversationsAsMarkdown(conversations: readonly ExportedConversation[]): string {
  return conversations.map(asMarkdown).join('\n\n---\n\n');
}

/** One row for each message; a conversation without messages has one row of its own. */
export function conversationsAsCsv(conversations: readonly ExportedConversation[]): string {
  const rows = conversations.flatMap(({ id, title, createdAt, models, messages }) => {
    const lead = [id, title, createdAt ?? '', models.join('; ')];
    if (messages.length === 0) return [[...lead, '', '', '']];
    return messages.map((message) => [...lead, message.role, message.createdAt ?? '', message.content]);
  });
  const header = ['conversation_id', 'title', 'created_at', 'models', 'role', 'message_created_at', 'content'];
  return `${[header, ...rows].map((row) => row.map(csvField).join(',')).join('\r\n')}\r\n`;
}

/** Message text out of a column that may hold plain text, or JSON with the text inside. */
export function messageText(value: unknown): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  const first = value.trimStart()[0];
  if (first !== '{' && first !== '[') return value;
  try {
    const text = textIn(JSON.parse(value));
    return text === '' ? value : text;
  } catch {
    return value;
  }
}

function asMarkdown({ title, createdAt, models, messages }: ExportedConversation): string {
  const facts = [createdAt, models.join(', ')].filter(Boolean).join(' · ');
  const turns = messages.map(({ role, content }) => `**${role}**\n\n${content}`);
  return [`# ${title}`, ...(facts ? [`*${facts}*`] : []), ...turns].join('\n\n');
}

function csvField(value: string): string {
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Only parts of a message are taken apart; a list of plain words is the user's text. */
function textIn(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map((part) => (typeof part === 'string' ? '' : textIn(part)))
      .join('\n')
      .trim();
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? value : '';
  const part = value as Record<string, unknown>;
  return textIn(part.text ?? part.content ?? part.value ?? part.parts ?? part.children);
}
