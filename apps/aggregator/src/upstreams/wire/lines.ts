import { StringDecoder } from 'node:string_decoder';

/**
 * Splits a byte stream into lines. A line beyond `maxBytes` is dropped at once, so that an endless line cannot fill the
 * memory.
 */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  readonly #maxBytes: number;
  // Kept as parts: joining on every chunk would be quadratic.
  #parts: string[] = [];
  #length = 0;

  constructor(options: { maxBytes: number; onLine: (line: string) => void; onTooLong: () => void }) {
    this.#maxBytes = options.maxBytes;
    this.#onLine = options.onLine;
    this.#onTooLong = options.onTooLong;
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#onLine(this.#take(text.slice(start, end)));
      start = end + 1;
    }
    if (start === text.length) return;
    const rest = start === 0 ? text : text.slice(start);
    this.#parts.push(rest);
    this.#length += rest.length;
    if (this.#length > this.#maxBytes) {
      this.#parts = [];
      this.#length = 0;
      this.#onTooLong();
    }
  }

  #take(tail: string): string {
    if (this.#length === 0) return tail;
    const line = this.#parts.join('') + tail;
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
