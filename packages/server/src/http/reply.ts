import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ProtocolFault, REFUSED } from '@atoll-mcp/core';
import { errorText, type Send } from '../protocol/shared/json-rpc.ts';
import { sendJson } from './refusal.ts';

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** More is not kept in memory for a client that has stopped reading: its stream is closed. */
export const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** For clients that need a response even to a cancelled request. */
const CANCELLED = errorText(null, new ProtocolFault(REFUSED, 'The request was cancelled'));

export interface ReplyOptions {
  /** `stream` always answers as a stream, `either` only when something comes before the answer, `json` never. */
  readonly mode: 'stream' | 'either' | 'json';
  readonly keepAliveMs: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Where messages go that come before the answer of a plain JSON reply. */
  readonly aside?: Send;
}

/** The answer to one POST: a single JSON body, or a stream of messages that the answer ends. */
export class Reply {
  readonly #response: ServerResponse;
  readonly #options: ReplyOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: ReplyOptions) {
    this.#response = response;
    this.#options = options;
    // Proxies close connections that stay silent for long.
    if (options.mode !== 'json') this.#timer = setInterval(() => this.#comment(), options.keepAliveMs).unref();
  }

  /** Sends a message that belongs to the request, before its answer. */
  readonly send: Send = (text) => {
    if (this.#options.mode !== 'json') return this.#event(text);
    if (this.#options.aside) return this.#options.aside(text);
    throw new Error('The client accepts only the final response');
  };

  get streams(): boolean {
    return this.#options.mode !== 'json';
  }

  /** Sends the answer and ends; without one, ends with what was sent so far. Only the first ending counts. */
  finish(text: string | undefined, status = 200): void {
    clearInterval(this.#timer);
    const { mode, headers = {} } = this.#options;
    const response = this.#response;
    if (response.writableEnded || response.destroyed) return;
    if (response.headersSent) {
      response.end(text === undefined ? undefined : eventText(text));
    } else if (mode === 'stream' && status === 200) {
      const body = text === undefined ? '' : eventText(text);
      response.writeHead(200, { ...STREAM_HEADERS, 'content-length': Buffer.byteLength(body), ...headers });
      response.end(body);
    } else {
      sendJson(response, status, text ?? CANCELLED, headers);
    }
  }

  #event(text: string): void | Promise<void> {
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    if (this.#response.destroyed) throw new Error('The client has disconnected');
    this.#begin();
    if (!this.#response.write(eventText(text))) return drained(this.#response);
  }

  #comment(): void {
    if (this.#response.destroyed) return;
    this.#begin();
    this.#response.write(': keep-alive\n\n');
  }

  #begin(): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#options.headers });
  }
}

export function eventText(text: string, id?: number): string {
  return id === undefined ? `event: message\ndata: ${text}\n\n` : `event: message\nid: ${id}\ndata: ${text}\n\n`;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
