import { assertSafeJson, INTERNAL_ERROR, isObject, type Json } from '@atoll-mcp/core';

/** A JSON-RPC message of a server, as its client reads it. A result keeps its original text; the value of `null` is read as `{}`. */
export type ServerMessage =
  | { readonly kind: 'result'; readonly id: number; readonly text: string; readonly value: Json }
  | { readonly kind: 'error'; readonly id: number; readonly error: WireError }
  | { readonly kind: 'request'; readonly id: string | number; readonly method: string; readonly params: Json }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Json };

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The messages in a line or body; empty if it is not JSON-RPC. Throws `UnsafeJsonError`. */
export function readServerMessages(text: string): ServerMessage[] {
  assertSafeJson(text);
  const result = readPlainResult(text);
  if (result) return [result];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const items = Array.isArray(parsed) ? parsed : [parsed];
  return items.map(readParsed).filter((message) => message !== undefined);
}

const FRONT = /^\s*\{"jsonrpc":"2\.0","id":(\d+),"result":/;
const BACK = /,"jsonrpc":"2\.0","id":(\d+)\}\s*$/;
const BACK_LENGTH = 64;

/**
 * Reads the two common forms of a response without parsing the frame: only the result is parsed, which also proves that
 * its text is one JSON value and can be passed on unchanged.
 */
function readPlainResult(text: string): ServerMessage | undefined {
  const front = FRONT.exec(text);
  if (front) return resultOf(Number(front[1]), text.slice(front[0].length, text.lastIndexOf('}')));
  if (!text.startsWith('{"result":')) return undefined;
  const tailStart = Math.max(0, text.length - BACK_LENGTH);
  const back = BACK.exec(text.slice(tailStart));
  return back ? resultOf(Number(back[1]), text.slice(10, tailStart + back.index)) : undefined;
}

function resultOf(id: number, text: string): ServerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Line breaks inside would split the outgoing line.
    const isOneLine = !/[\r\n]/.test(text);
    if (isObject(value)) return { kind: 'result', id, text: isOneLine ? text : JSON.stringify(value), value };
  } catch {
    // Not a single value; use the general parser.
  }
  return undefined;
}

const INVALID = 'The server sent a response without a valid result or error';

function readParsed(item: unknown): ServerMessage | undefined {
  if (!isObject(item)) return undefined;
  const { id, method } = item;
  const params = isObject(item.params) ? item.params : {};
  if (typeof method === 'string') {
    if (typeof id === 'number' || typeof id === 'string') return { kind: 'request', id, method, params };
    return { kind: 'notification', method, params };
  }
  if (typeof id !== 'number') return undefined;
  if (isObject(item.result) || item.result === null) {
    return { kind: 'result', id, text: JSON.stringify(item.result), value: item.result ?? {} };
  }
  if (!isObject(item.error)) return { kind: 'error', id, error: { code: INTERNAL_ERROR, message: INVALID } };
  const { code, message, data } = item.error;
  const error = {
    code: Number.isSafeInteger(code) ? (code as number) : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'The server reported an error without a message',
  };
  return { kind: 'error', id, error: data === undefined ? error : { ...error, data } };
}
