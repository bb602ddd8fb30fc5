import {
  failureCode,
  INVALID_REQUEST,
  isObject,
  type Json,
  PARSE_ERROR,
  ProtocolFault,
  RawResult,
} from '@atoll-mcp/core';

export type RequestId = string | number;

export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Json;
}

export interface RpcNotification {
  readonly method: string;
  readonly params?: Json;
}

export interface RpcResponse {
  readonly id: RequestId;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type RpcMessage =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  | { readonly kind: 'notification'; readonly notification: RpcNotification }
  | { readonly kind: 'response'; readonly response: RpcResponse }
  | { readonly kind: 'invalid'; readonly id: RequestId | null };

/** Takes one message as text, in the order in which it must arrive. */
export type Send = (text: string) => void | Promise<void>;

/** Sends a message that may be lost: write errors of a disconnected client are ignored. */
export async function sendQuietly(send: Send, text: string): Promise<void> {
  try {
    await send(text);
  } catch {
    return;
  }
}

/** What was answered: the text of the message, and for counting, the code of its failure if it failed. */
export interface Answer {
  readonly text: string;
  /** Of the protocol. */
  readonly fault?: number;
  /** Of a tool. */
  readonly failure?: string;
}

/** Tells requests, notifications and responses apart; anything else is invalid. */
export function readMessage(value: unknown): RpcMessage {
  if (!isObject(value)) return { kind: 'invalid', id: null };
  const { jsonrpc, id, method, params } = value;
  const hasId = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
  const invalid = { kind: 'invalid', id: hasId ? id : null } as const;
  if (jsonrpc !== '2.0') return invalid;
  if (method === undefined) {
    if (!hasId || (value.result === undefined) === (value.error === undefined)) return invalid;
    return { kind: 'response', response: value as unknown as RpcResponse };
  }
  if (typeof method !== 'string' || (params !== undefined && !isObject(params))) return invalid;
  if (id === undefined) return { kind: 'notification', notification: value as unknown as RpcNotification };
  return hasId ? { kind: 'request', request: value as unknown as RpcRequest } : invalid;
}

export function resultAnswer(id: RequestId, result: Json | RawResult): Answer {
  const body = result instanceof RawResult ? result.text : JSON.stringify(result);
  const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${body}}`;
  if (result.isError !== true) return { text };
  return { text, failure: (result as { [failureCode]?: string })[failureCode] ?? 'tool' };
}

export function faultAnswer(id: RequestId | null, fault: ProtocolFault): Answer {
  return { text: errorText(id, fault), fault: fault.code };
}

export function errorText(id: RequestId | null, { code, message, data }: ProtocolFault): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

export function notificationText(method: string, params: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function requestText(id: RequestId, method: string, params: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export const parseFault = () => new ProtocolFault(PARSE_ERROR, 'Parse error: this is not valid JSON');
export const invalidRequest = (message: string) => new ProtocolFault(INVALID_REQUEST, message);
