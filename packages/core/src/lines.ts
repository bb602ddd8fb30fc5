/// <reference lib="es2024.arraybuffer" />
import type { Readable, Writable } from 'node:stream';

const NEWLINE = 0x0a;

/** A text cannot be longer than this in V8, so a longer line can't be read anyway. */
const LONGEST = 2 ** 29 - 24;
const GROWTH = 4 * 2 ** 20;

/** Calls back with each line of a stream that is not empty. */
export function readLines(input: Readable, onLine: (line: string) => void): void {
  const held = new HeldBytes();
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      const line = (held.isEmpty ? part.toString('utf8') : held.take(part)).trim();
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) held.add(start === 0 ? chunk : chunk.subarray(start));
  });
}

/**
 * The beginning of a line whose end has not come yet. Messages of a hundred megabytes are sent this way, so the bytes are kept once, in
 * memory that grows in place and is given back before the line is parsed, not when the garbage is next collected.
 */
class HeldBytes {
  readonly #memory = new ArrayBuffer(0, { maxByteLength: LONGEST });
  readonly #bytes = new Uint8Array(this.#memory);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length <= LONGEST) {
      if (length > this.#memory.byteLength) this.#memory.resize(Math.min(LONGEST, length + GROWTH));
      this.#bytes.set(part, this.#length);
    }
    this.#length = length;
  }

  /** The whole line; one that is too long is answered as no JSON, and the next one works. */
  take(last: Uint8Array): string {
    this.add(last);
    const length = this.#length;
    this.#length = 0;
    const line = length <= LONGEST ? Buffer.from(this.#memory, 0, length).toString('utf8') : 'too long';
    this.#memory.resize(0);
    return line;
  }
}

/** Resolves when the line has left the process, so that nothing is lost by ending it then. */
export function writeLine(output: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
