import { type ChatTime, chatTime } from './chat-time.ts';

/** What somebody said in a chat. */
export interface ChatTurn {
  readonly speaker: string;
  /** Empty for a turn without words, such as a picture or a call of a tool. */
  readonly text: string;
  readonly time: ChatTime | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

type Fields = Readonly<Record<string, unknown>>;

const SPEAKERS = ['speaker', 'sender', 'role'];
/** Records other than turns have these too. */
const COMMON_SPEAKERS = ['from', 'author', 'user'];
const TEXTS = ['text', 'content', 'message', 'body', 'value'];
const TIMES = ['time', 'timestamp', 'created_at', 'create_time', 'date', 'datetime', 'date_time', 'ts'];

/** The turns of a list, or undefined when it is not that of a chat: every record must say who speaks and have a text. */
export function turnsOf(records: readonly unknown[]): ChatTurn[] | undefined {
  const turns: ChatTurn[] = [];
  let isPlain = true;
  for (const record of records) {
    const fields = fieldsOf(record);
    const turn = fields && turnOf(fields);
    if (!fields || !turn) return undefined;
    isPlain &&= [...SPEAKERS.map((name) => fields[name]), fieldsOf(fields.author)?.role].some(isText);
    turns.push(turn);
  }
  if (!turns.some(({ text }) => text !== '')) return undefined;
  return isPlain || isDialogue(turns) ? turns : undefined;
}

/** Tells chats from reviews, posts and the like, whose authors are all different or which have no times. */
const isDialogue = (turns: readonly ChatTurn[]): boolean =>
  turns.every(({ time }) => time !== undefined) && new Set(turns.map(({ speaker }) => speaker)).size < turns.length;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

function turnOf(fields: Fields): ChatTurn | undefined {
  const speaker = speakerOf(fields);
  const name = TEXTS.find((key) => key in fields);
  const text = name === undefined ? undefined : textOf(fields[name]);
  if (speaker === undefined || text === undefined) return undefined;
  const times = TIMES.map((key) => chatTime(fields[key]));
  return { speaker, text: text.trim(), time: times.find((time) => time !== undefined) };
}

function speakerOf(fields: Fields): string | undefined {
  // OpenAI's messages have the name of a participant beside its role.
  const named = typeof fields.role === 'string' ? fields.name : undefined;
  const author = fieldsOf(fields.author);
  const values = [
    fields.speaker,
    fields.sender,
    named,
    fields.role,
    author?.name,
    author?.role,
    ...COMMON_SPEAKERS.map((key) => fields[key]),
  ];
  const speaker = values.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim();
  return speaker === undefined || speaker.length > 200 ? undefined : speaker;
}

/** Texts come as they are, in parts, or as null beside a call of a tool. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (Array.isArray(value)) {
    const parts = value.map((part) => (typeof part === 'string' ? part : fieldsOf(part)?.text));
    // Telegram cuts a text at its links; other parts are paragraphs.
    const isCut = value.some(isText);
    return parts.filter(isText).join(isCut ? '' : '\n');
  }
  const { parts } = fieldsOf(value) ?? {};
  return Array.isArray(parts) ? parts.filter(isText).join('\n') : undefined;
}
