import { StringDecoder } from 'node:string_decoder';

/** Keeps the beginning of what a worker writes to one of its outputs, and knows when a call's output is complete. */
export class Output {
  readonly #keepBytes: number;
  readonly #onBytes: (bytes: number) => void;
  readonly #onText: ((text: string) => void) | undefined;
  readonly #decoder = new StringDecoder('utf8');
  #kept: Buffer[] = [];
  #size = 0;
  #truncated = false;
  #mark = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #complete: (() => void) | undefined;

  /** `onBytes` is told how much arrived, kept or not; `onText` is told what is kept. */
  constructor(keepBytes: number, onBytes: (bytes: number) => void, onText?: (text: string) => void) {
    this.#keepBytes = keepBytes;
    this.#onBytes = onBytes;
    this.#onText = onText;
  }

  /** From here on, output belongs to the call that ends with this mark. */
  begin(mark: string): Promise<void> {
    this.#kept = [];
    this.#size = 0;
    this.#truncated = false;
    this.#tail = Buffer.alloc(0);
    this.#mark = Buffer.from(`\0${mark}\n`);
    return new Promise((resolve) => {
      this.#complete = resolve;
    });
  }

  push(chunk: Buffer): void {
    this.#onBytes(chunk.length);
    const data = Buffer.concat([this.#tail, chunk]);
    const end = this.#mark.length ? data.indexOf(this.#mark) : -1;
    if (end >= 0) {
      this.#keep(data.subarray(0, end));
      this.#tail = Buffer.alloc(0);
      this.#complete?.();
      return;
    }
    const held = this.#beginningOfMark(data);
    this.#keep(data.subarray(0, held));
    this.#tail = Buffer.from(data.subarray(held));
  }

  /** What was written so far, also if the mark never came. */
  text(): { text: string; truncated: boolean } {
    this.#keep(this.#tail);
    this.#tail = Buffer.alloc(0);
    // A character that was cut in half at the end is left out.
    return { text: new StringDecoder('utf8').write(Buffer.concat(this.#kept)), truncated: this.#truncated };
  }

  /** Where the mark begins that has arrived in part; else the end of the data. */
  #beginningOfMark(data: Buffer): number {
    const first = Math.max(0, data.length - this.#mark.length + 1);
    for (let at = data.indexOf(0, first); at >= 0; at = data.indexOf(0, at + 1))
      if (this.#mark.subarray(0, data.length - at).equals(data.subarray(at))) return at;
    return data.length;
  }

  #keep(data: Buffer): void {
    const part = data.subarray(0, this.#keepBytes - this.#size);
    if (part.length > 0) this.#kept.push(Buffer.from(part));
    this.#size += part.length;
    this.#truncated ||= part.length < data.length;
    const text = this.#onText ? this.#decoder.write(part) : '';
    if (text) this.#onText?.(text);
  }
}
