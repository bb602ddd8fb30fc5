import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { eventText, MAX_UNREAD_BYTES, STREAM_HEADERS } from './reply.ts';

const KEPT = 200;
const KEPT_CHARS = 4 * 1024 * 1024;
/** A client needs one; a second is opened while the first is not known to be broken. */
const MAX_STREAMS = 8;

interface Pushed {
  readonly id: number;
  readonly text: string;
  sent: boolean;
}

/**
 * Messages to a session's client that belong to none of its requests. Messages wait while no stream is open, and a client that
 * comes back gets what it missed.
 */
export class PushStream {
  readonly #streams: ServerResponse[] = [];
  #kept: Pushed[] = [];
  #keptChars = 0;
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #keepAliveMs: number;

  constructor(keepAliveMs: number) {
    this.#keepAliveMs = keepAliveMs;
  }

  get isOpen(): boolean {
    return this.#streams.length > 0;
  }

  push(text: string): void {
    this.#lastId += 1;
    const event = { id: this.#lastId, text, sent: false };
    this.#kept.push(event);
    this.#keptChars += text.length;
    while (this.#kept.length > KEPT || (this.#keptChars > KEPT_CHARS && this.#kept.length > 1)) {
      this.#keptChars -= this.#kept.shift()?.text.length ?? 0;
    }
    // Each message goes to one stream only, the newest.
    this.#write(event, this.#streams.at(-1));
  }

  /** Attaches a stream of the client, beginning with what it has missed. */
  open(response: ServerResponse, headers: OutgoingHttpHeaders, lastEventId: string | undefined): void {
    response.writeHead(200, { ...STREAM_HEADERS, ...headers });
    response.flushHeaders();
    this.#streams.push(response);
    if (this.#streams.length > MAX_STREAMS) this.#streams[0]?.end();
    response.once('close', () => this.#closed(response));
    this.#timer ??= setInterval(() => this.#comment(), this.#keepAliveMs).unref();
    const heard = lastEventId === undefined ? undefined : Number(lastEventId);
    const missed = this.#kept.filter((event) => (heard === undefined ? !event.sent : event.id > heard));
    for (const event of missed) this.#write(event, response);
  }

  close(): void {
    for (const response of [...this.#streams]) response.end();
    clearInterval(this.#timer);
    this.#kept = [];
    this.#keptChars = 0;
  }

  #write(event: Pushed, response: ServerResponse | undefined): void {
    if (!response || response.destroyed) return;
    // The client has stopped reading, and unread data is kept in memory.
    if (response.writableLength > MAX_UNREAD_BYTES) return void response.destroy();
    response.write(eventText(event.text, event.id));
    event.sent = true;
  }

  #comment(): void {
    for (const response of this.#streams) if (!response.destroyed) response.write(': keep-alive\n\n');
  }

  #closed(response: ServerResponse): void {
    this.#streams.splice(this.#streams.indexOf(response), 1);
    if (this.#streams.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
