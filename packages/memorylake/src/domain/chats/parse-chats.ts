import { tryParseJson } from '@atoll-mcp/core';
import { type ChatTurn, fieldsOf, turnsOf } from './chat-turn.ts';

export interface Chat {
  readonly title: string | undefined;
  readonly turns: readonly ChatTurn[];
}

/** Where exports keep the turns of a chat, and chats among other things. */
const LISTS = ['messages', 'turns', 'chat_messages', 'conversation', 'conversations'];
const TITLES = ['title', 'name', 'subject'];

/**
 * The chats in JSON lines with a turn each, in a list of turns, or in an export of ChatGPT, Claude, Slack or Telegram.
 * Undefined when any of it is something else: the text then stays what it is.
 */
export function parseChats(text: string): Chat[] | undefined {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  const records = jsonLines(text);
  if (records) return chatsOf(records);
  const value = tryParseJson(text);
  return value === undefined ? undefined : chatsOf(Array.isArray(value) ? value : [value]);
}

function chatsOf(records: readonly unknown[]): Chat[] | undefined {
  if (records.length === 0) return undefined;
  const turns = records.length > 1 ? turnsOf(records) : undefined;
  if (turns) return [{ title: undefined, turns }];
  const chats: Chat[] = [];
  for (const record of records) {
    const chat = chatOf(record);
    if (!chat) return undefined;
    if (chat.turns.length > 0) chats.push(chat);
  }
  return chats.length > 0 ? chats : undefined;
}

/** One chat of an export. A chat without turns is one that was opened and left. */
function chatOf(record: unknown): Chat | undefined {
  const fields = fieldsOf(record);
  if (!fields) return undefined;
  const title = TITLES.map((key) => fields[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  const list = LISTS.map((key) => fields[key]).find(Array.isArray) ?? branchOf(fields);
  const turns = list?.length === 0 ? [] : list && turnsOf(list.filter(isMessage));
  return turns && { title: title as string | undefined, turns };
}

/** Telegram lists who joined and who called among the messages. */
const isMessage = (record: unknown): boolean => (fieldsOf(record)?.type ?? 'message') !== 'service';

/** ChatGPT keeps each chat as a tree, since a turn may be written again: the branch that was shown last, from its root. */
function branchOf({ mapping, current_node: last }: Readonly<Record<string, unknown>>): unknown[] | undefined {
  const nodes = fieldsOf(mapping);
  if (!nodes || typeof last !== 'string') return undefined;
  const messages: unknown[] = [];
  const seen = new Set<unknown>();
  for (let id: unknown = last; typeof id === 'string' && !seen.has(id); ) {
    seen.add(id);
    const node = fieldsOf(Object.hasOwn(nodes, id) ? nodes[id] : undefined);
    const content = fieldsOf(fieldsOf(node?.message)?.content);
    if (Array.isArray(content?.parts)) messages.unshift(node?.message);
    id = node?.parent;
  }
  return messages;
}

/** The values of JSON lines; undefined when a line is not an object, as in JSON over several lines. */
function jsonLines(text: string): unknown[] | undefined {
  const records: unknown[] = [];
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    from = end < 0 ? text.length : end + 1;
    if (line === '') continue;
    const record = line.startsWith('{') ? fieldsOf(tryParseJson(line)) : undefined;
    if (!record) return undefined;
    records.push(record);
  }
  return records;
}
