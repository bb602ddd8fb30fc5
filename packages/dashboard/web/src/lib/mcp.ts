import { inTab } from './kept/kept.ts';
import { t } from './texts.ts';

/** The page is an MCP client like any other: the current revision, over the same endpoint, with no way in of its own. */

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Schema;
  readonly outputSchema?: Schema;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type Schema = { readonly [key: string]: unknown };

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }
  | { readonly type: 'resource'; readonly resource: { uri: string; text?: string; blob?: string; mimeType?: string } };

export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly resultType?: string;
  readonly inputRequests?: Readonly<Record<string, { method: string; params: Record<string, unknown> }>>;
  readonly requestState?: string;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly inputResponses?: Record<string, unknown>;
  readonly requestState?: string;
  /** Whether a person makes this call as such; else the page makes it to show something. */
  readonly isPersons?: boolean;
  /** Whether the caller shows questions of tools; false is for who cannot. */
  readonly canBeAsked?: boolean;
}

export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The name under which the page makes the calls that show something, which a person did not ask for as such. */
export const VIEWER = 'atoll-page-view';
const REVISION = '2026-07-28';
const META = 'io.modelcontextprotocol';
const TOKEN_KEY = 'atoll.token';
export const endpoint = `${location.origin}/mcp`;
let lastId = 0;

/** Sent on the window when the endpoint refuses the token that this tab has, or wants one. */
export const REFUSED = 'atoll:refused';

/** Sent on the window when a new token was accepted: what was refused may be asked for again. */
export const GRANTED = 'atoll:granted';

let hasAnswered = false;

/** Whether the endpoint has answered this page at all. */
export const wasAnswered = () => hasAnswered;

export function setToken(token: string): void {
  inTab.set(TOKEN_KEY, token);
}

export function hasToken(): boolean {
  return inTab.get(TOKEN_KEY) !== undefined;
}

/** The message of a request, as it goes over the wire: shown to people who want to send it themselves. */
export function messageOf(method: string, params: Record<string, unknown>, options: CallOptions = {}) {
  lastId += 1;
  const { inputResponses, requestState, canBeAsked = true, isPersons = false } = options;
  return {
    jsonrpc: '2.0',
    id: lastId,
    method,
    params: {
      ...params,
      ...(inputResponses && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
      _meta: {
        [`${META}/protocolVersion`]: REVISION,
        [`${META}/clientInfo`]: { name: isPersons ? 'atoll-page' : VIEWER, version: '0.1.0' },
        [`${META}/clientCapabilities`]: canBeAsked ? { elicitation: { form: {} } } : {},
        ...(options.onProgress && { progressToken: lastId }),
      },
    },
  };
}

export function headersOf(method: string, params: Record<string, unknown>): Record<string, string> {
  const name = params.name ?? params.uri;
  const granted = authorization();
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeader(name) }),
    ...(granted && { authorization: granted }),
  };
}

function authorization(): string | undefined {
  const token = inTab.get(TOKEN_KEY);
  return token && `Bearer ${token}`;
}

export async function request<Result>(
  method: string,
  params: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Result> {
  const message = messageOf(method, params, options);
  const response = await send(message, headersOf(method, params), options.signal);
  for await (const answer of messagesOf(response)) {
    if (answer.method === 'notifications/progress') options.onProgress?.(answer.params as unknown as Progress);
    if (answer.id !== message.id) continue;
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message);
    return answer.result as Result;
  }
  throw new RpcError(response.status, t('Atoll ended its answer early (HTTP {status}).', { status: response.status }));
}

async function send(message: object, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify(message);
  const response = await fetch('/mcp', { method: 'POST', headers, body, ...(signal && { signal }) }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new RpcError(0, t('Atoll does not answer. If it has ended, start it again and try once more.'));
  });
  if (response.status === 401) {
    // A late answer to the former token says nothing of the one that was given since.
    if (headers.authorization === authorization()) dispatchEvent(new Event(REFUSED));
    throw new RpcError(401, t('Atoll asks for a token.'));
  }
  hasAnswered = true;
  const isJson = response.headers.get('content-type')?.includes('json');
  if (!response.ok && !isJson) throw new RpcError(response.status, refusal(response.status));
  return response;
}

function refusal(status: number): string {
  if (status === 413) return t('The request is too large for Atoll. Send less, or raise its limit.');
  if (status === 429) return t('Too many requests. Wait a minute, then try again.');
  return t('Atoll refused the request (HTTP {status}). Its log says why.', { status });
}

export async function callTool(
  name: string,
  args: Record<string, unknown>,
  options?: CallOptions,
): Promise<ToolResult> {
  return request<ToolResult>('tools/call', { name, arguments: args }, options);
}

/** A tool's body, or its failure as an error in words. */
export async function ask<Body>(
  name: string,
  args: Record<string, unknown> = {},
  options?: CallOptions,
): Promise<Body> {
  const result = await callTool(name, args, options);
  if (result.isError) throw new Error(failureOf(result));
  return (result.structuredContent ?? textOf(result)) as Body;
}

export function textOf(result: ToolResult): string {
  return result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The sentence in a failure, whichever envelope it came in. */
export function failureOf(result: ToolResult): string {
  const body = result.structuredContent as
    | { message?: string; error?: string | { message?: string; suggestion?: string } }
    | undefined;
  if (typeof body?.error === 'string') return body.error;
  if (body?.error?.message) return [body.error.message, body.error.suggestion].filter(Boolean).join('. ');
  return body?.message ?? textOf(result);
}

/** Change notices for as long as the signal allows. After a break it comes back by itself, and says so. */
export async function listen(
  filter: Record<string, unknown>,
  on: { readonly event: () => void; readonly break: (error: Error) => void },
  signal: AbortSignal,
): Promise<void> {
  const params = { notifications: filter };
  const method = 'subscriptions/listen';
  for (let isBack = false; !signal.aborted; isBack = true) {
    try {
      const response = await send(messageOf(method, params), headersOf(method, params), signal);
      if (isBack) on.event();
      for await (const told of messagesOf(response)) if (told.method) on.event();
    } catch (error) {
      if (!signal.aborted) on.break(error as Error);
    }
    await pause(2000);
  }
}

/** Shorter where a token is accepted meanwhile. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener(GRANTED, end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener(GRANTED, end);
  });
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    const text = await response.text();
    if (text) yield JSON.parse(text) as Message;
    return;
  }
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const events = held.split(/\r?\n\r?\n/);
    held = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data) yield JSON.parse(data) as Message;
    }
  }
}

/** Header values are ASCII; anything else goes as the protocol's base64 form. */
function encodeHeader(value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}
