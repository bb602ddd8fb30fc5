import { LineReader } from './lines.ts';

export interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Incremental parser of server-sent events. */
export class EventReader {
  readonly #lines: LineReader;
  readonly #onEvent: (event: ServerEvent) => void;
  readonly #onTooLong: () => void;
  readonly #maxBytes: number;
  #length = 0;
  #data: string[] = [];
  #id: string | undefined;
  /** Reconnection delay requested by the server. */
  retryMs: number | undefined;

  constructor(options: { maxBytes: number; onEvent: (event: ServerEvent) => void; onTooLong: () => void }) {
    this.#onEvent = options.onEvent;
    const { maxBytes, onTooLong } = options;
    this.#onTooLong = onTooLong;
    this.#maxBytes = maxBytes;
    this.#lines = new LineReader({ maxBytes, onTooLong, onLine: (line) => this.#line(line) });
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  #line(raw: string): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#keep(value);
    else if (field === 'id') this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }

  /** Bounds the size of an event, which may have any number of lines. */
  #keep(value: string): void {
    this.#data.push(value);
    this.#length += value.length + 1;
    if (this.#length <= this.#maxBytes + 1) return;
    this.#data = [];
    this.#length = 0;
    this.#onTooLong();
  }

  #dispatch(): void {
    const data = this.#data.join('\n');
    this.#data = [];
    this.#length = 0;
    if (data !== '' || this.#id !== undefined) this.#onEvent({ id: this.#id, data });
    this.#id = undefined;
  }
}
