/// <reference lib="es2024.arraybuffer" />
import type { Readable, Writable } from 'node:stream';

const NEWLINE = 0x0a;

/** V8's limit on the length of a string: a longer line cannot be read. */
const MAX_LINE_CHARACTERS = 2 ** 29 - 24;
const GROWTH = 4 * 2 ** 20;

interface LineTaker {
  take(line: string): void;
  /** Called first for a line that arrived in several chunks; false means that `take` has to read it as text. The bytes are valid until it returns. */
  takeBytes(line: Buffer): boolean;
}

/** Passes each line of a stream to `taker`, except empty ones. */
export function readLines(input: Readable, taker: LineTaker): void {
  const held = new HeldBytes();
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end);
      start = end + 1;
      if (!held.isEmpty) {
        held.add(part);
        if (taker.takeBytes(held.bytes)) {
          held.clear();
          continue;
        }
      }
      const line = (held.isEmpty ? part.toString('utf8') : held.takeText()).trim();
      if (line !== '') taker.take(line);
    }
    if (start < chunk.length) held.add(start === 0 ? chunk : chunk.subarray(start));
  });
}

/**
 * The beginning of a line whose end has not come yet. Messages of a hundred megabytes are sent this way, so the bytes are kept once, in
 * memory that grows in place and is released before the line is parsed, not at the next garbage collection.
 */
class HeldBytes {
  readonly #memory = new ArrayBuffer(0, { maxByteLength: MAX_LINE_CHARACTERS });
  readonly #bytes = new Uint8Array(this.#memory);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length <= MAX_LINE_CHARACTERS) {
      if (length > this.#memory.byteLength) this.#memory.resize(Math.min(MAX_LINE_CHARACTERS, length + GROWTH));
      this.#bytes.set(part, this.#length);
    }
    this.#length = length;
  }

  /** Empty for a line that is too long to be read. */
  get bytes(): Buffer {
    return Buffer.from(this.#memory, 0, this.#length <= MAX_LINE_CHARACTERS ? this.#length : 0);
  }

  /** The complete line. One that is too long becomes text that is not JSON, so that it is answered with a parse error. */
  takeText(): string {
    const line = this.#length <= MAX_LINE_CHARACTERS ? this.bytes.toString('utf8') : 'too long';
    this.clear();
    return line;
  }

  clear(): void {
    this.#length = 0;
    this.#memory.resize(0);
  }
}

interface Batch {
  text: string;
  readonly done: Promise<void>;
}

const waiting = new WeakMap<Writable, Batch>();

/**
 * Resolves when the line has been written, so that the process can end without losing it. Lines of the same tick are
 * written together: a system call costs more than all earlier work on the line.
 */
export function writeLine(output: Writable, line: string): Promise<void> {
  let batch = waiting.get(output);
  if (!batch) {
    batch = { text: '', done: leaving(output) };
    waiting.set(output, batch);
  }
  batch.text += `${line}\n`;
  return batch.done;
}

async function leaving(output: Writable): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  const { text = '' } = waiting.get(output) ?? {};
  waiting.delete(output);
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
