import { StringDecoder } from 'node:string_decoder';

/** Keeps the beginning of what a worker writes to one of its outputs, and knows when a call's output is complete. */
export class Output {
  readonly #keepBytes: number;
  readonly #onBytes: (bytes: number) => void;
  #kept: Buffer[] = [];
  #size = 0;
  #truncated = false;
  #mark = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #complete: (() => void) | undefined;

  /** `onBytes` is told how much arrived, kept or not. */
  constructor(keepBytes: number, onBytes: (bytes: number) => void) {
    this.#keepBytes = keepBytes;
    this.#onBytes = onBytes;
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
    // The mark may have arrived in part.
    const held = Math.min(data.length, Math.max(0, this.#mark.length - 1));
    this.#keep(data.subarray(0, data.length - held));
    this.#tail = Buffer.from(data.subarray(data.length - held));
  }

  /** What was written so far, also if the mark never came. */
  text(): { text: string; truncated: boolean } {
    this.#keep(this.#tail);
    this.#tail = Buffer.alloc(0);
    // A character that was cut in half at the end is left out.
    return { text: new StringDecoder('utf8').write(Buffer.concat(this.#kept)), truncated: this.#truncated };
  }

  #keep(data: Buffer): void {
    const part = data.subarray(0, this.#keepBytes - this.#size);
    if (part.length > 0) this.#kept.push(Buffer.from(part));
    this.#size += part.length;
    this.#truncated ||= part.length < data.length;
  }
}
