import { randomUUID } from 'node:crypto';
import { isObject, type OwnName, tryParseJson } from '@atoll-mcp/core';
import { packList } from './pack-list.ts';
import type { PackedList } from './packed-list.ts';

/** Shorter messages and lists are not worth the trouble. */
const MIN_BYTES = 1024 * 1024;
const [TAB, LF, CR, SPACE, QUOTE, COLON, OPEN, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x3a, 0x5b, 0x5c];

/** The argument of each tool that may be a long list of numbers. */
const PACKED_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['upload_tensor', 'tensor_data'],
  ['upload_model', 'model_weights'],
]);

/**
 * A tool call in which a long list of numbers is a `PackedList`, everything else as JSON.parse gives it. `undefined` for any other
 * message, and for a call with a long list in another argument.
 */
export function readPacked(bytes: Buffer, ownName: OwnName = (listed) => listed): unknown {
  if (bytes.length < MIN_BYTES) return undefined;
  const found = withoutLists(bytes);
  if (!found) return undefined;
  const { lists, rest } = found;
  const message = tryParseJson(rest);
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  const { name, arguments: args } = message.params;
  if (typeof name !== 'string' || !isObject(args)) return undefined;
  const own = ownName(name);
  const key = own === undefined ? undefined : PACKED_ARGUMENTS.get(own);
  const list = key === undefined ? undefined : lists.get(args[key] as string);
  if (!list || lists.size > 1) return undefined;
  args[key!] = list;
  return message;
}

/** The long lists of numbers that are fields, if there are any, and the text with a name in the place of each. */
function withoutLists(bytes: Buffer): { lists: Map<string, PackedList>; rest: string } | undefined {
  const lists = new Map<string, PackedList>();
  const unique = randomUUID();
  let rest = '';
  let taken = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    const start = byte === COLON ? skipSpace(bytes, at + 1) : -1;
    const packed = mayBeLong(bytes, start) ? packList(bytes, start) : undefined;
    if (packed) {
      const name = `${unique} ${lists.size}`;
      lists.set(name, packed.list);
      rest += `${bytes.toString('utf8', taken, start)}"${name}"`;
      taken = packed.end;
    }
    at = packed?.end ?? (byte === QUOTE ? endOfText(bytes, at) : at + 1);
  }
  return lists.size === 0 ? undefined : { lists, rest: rest + bytes.toString('utf8', taken) };
}

/** No colon is in a list of numbers. */
function mayBeLong(bytes: Buffer, start: number): boolean {
  if (bytes[start] !== OPEN || bytes.length - start < MIN_BYTES) return false;
  return !bytes.subarray(start, start + MIN_BYTES).includes(COLON);
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === LF || bytes[at] === CR || bytes[at] === TAB) at++;
  return at;
}

function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return bytes.length;
}
