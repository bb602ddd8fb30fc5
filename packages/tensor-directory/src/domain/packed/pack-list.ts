import { type DecimalKernel, decimalKernel, STOP, WINDOW_BYTES } from './decimal-kernel.ts';
import { Nesting } from './nesting.ts';
import { PackedList, SPECIAL_NUMBERS } from './packed-list.ts';

const BLOCK = 512 * 1024;
/** A number, or a text, that is longer than this is for JSON.parse. */
const MAX_TOKEN_BYTES = 4096;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SPECIAL = new Map(Object.entries(SPECIAL_NUMBERS).map(([name, value]) => [JSON.stringify(name), value]));
const [TAB, LF, CR, SPACE, COMMA, OPEN, CLOSE] = [0x09, 0x0a, 0x0d, 0x20, 0x2c, 0x5b, 0x5d];

/**
 * The nested list of numbers that begins at `start`, and where it ends. Gives nothing for any other list, ragged or broken ones
 * included: those are for JSON.parse, with which this agrees to the last bit.
 */
export function packList(bytes: Uint8Array, start: number): { list: PackedList; end: number } | undefined {
  const kernel = decimalKernel();
  if (!kernel) return undefined;
  const packer = new Packer(bytes, start, kernel);
  const list = packer.read();
  return list && { list, end: packer.at };
}

class Packer {
  readonly #bytes: Uint8Array;
  readonly #kernel: DecimalKernel;
  readonly #nesting = new Nesting();
  readonly #blocks: Float64Array[] = [];
  /** How many of the last block are filled. */
  #filled = BLOCK;
  /** Which part of the bytes is in the window. */
  #base: number;
  #length = 0;

  constructor(bytes: Uint8Array, start: number, kernel: DecimalKernel) {
    this.#bytes = bytes;
    this.#base = start;
    this.#kernel = kernel;
    kernel.at = kernel.count = 0;
  }

  get at(): number {
    return this.#base + this.#kernel.at;
  }

  read(): PackedList | undefined {
    let byte = this.#look();
    for (;;) {
      for (; byte === OPEN; byte = this.#step()) if (!this.#nesting.open()) return undefined;
      if (!this.#readNumbers()) return undefined;
      for (byte = this.#look(); byte === CLOSE; byte = this.#step()) {
        if (!this.#nesting.close()) return undefined;
        if (this.#nesting.isClosed) return this.#packed();
      }
      if (byte !== COMMA) return undefined;
      byte = this.#step();
    }
  }

  /** Reads numbers until something other than a comma follows one. */
  #readNumbers(): boolean {
    const kernel = this.#kernel;
    for (;;) {
      const before = kernel.count;
      const stop = kernel.read(this.#length);
      if (!this.#nesting.add(kernel.count - before)) return false;
      if (stop === STOP.behindNumber) return true;
      if (stop === STOP.beforeEnd) {
        if (!this.#refill()) return false;
        continue;
      }
      if (!this.#readOther()) return false;
      if (this.#look() !== COMMA) return true;
      kernel.at++;
    }
  }

  /** A number that the kernel leaves to the engine, or one that is written as a text. */
  #readOther(): boolean {
    if (this.#length - this.#kernel.at < MAX_TOKEN_BYTES) this.#refill();
    const { at, window } = this.#kernel;
    let end = at;
    while (end < Math.min(at + MAX_TOKEN_BYTES, this.#length) && !isBehindToken(window[end]!)) end++;
    const token = window.toString('latin1', at, end);
    const value = SPECIAL.get(token) ?? (NUMBER.test(token) ? Number(token) : undefined);
    if (value === undefined) return false;
    this.#kernel.at = end;
    this.#kernel.add(value);
    return this.#nesting.add(1);
  }

  /** The next byte that is not space. */
  #look(): number | undefined {
    const { window } = this.#kernel;
    for (;;) {
      const byte = window[this.#kernel.at];
      if (this.#kernel.at === this.#length) {
        if (!this.#refill()) return undefined;
      } else if (isSpace(byte)) this.#kernel.at++;
      else return byte;
    }
  }

  #step(): number | undefined {
    this.#kernel.at++;
    return this.#look();
  }

  /** Moves the window to where the kernel is; false if that shows nothing new. */
  #refill(): boolean {
    const start = this.at;
    if (this.#length > 0 && (this.#base + this.#length === this.#bytes.length || start === this.#base)) return false;
    this.#keep(this.#kernel.take());
    const part = this.#bytes.subarray(start, start + WINDOW_BYTES);
    this.#kernel.window.set(part);
    this.#kernel.window[part.length] = 0;
    this.#kernel.at = 0;
    this.#base = start;
    this.#length = part.length;
    return true;
  }

  #keep(numbers: Float64Array): void {
    for (let kept = 0; kept < numbers.length; ) {
      if (this.#filled === BLOCK) {
        this.#blocks.push(new Float64Array(BLOCK));
        this.#filled = 0;
      }
      const part = numbers.subarray(kept, kept + BLOCK - this.#filled);
      this.#blocks.at(-1)!.set(part, this.#filled);
      this.#filled += part.length;
      kept += part.length;
    }
  }

  #packed(): PackedList {
    this.#kernel.at++;
    this.#keep(this.#kernel.take());
    const last = this.#blocks.pop()!;
    return new PackedList(this.#nesting.shape, [...this.#blocks, last.subarray(0, this.#filled)]);
  }
}

function isBehindToken(byte: number): boolean {
  return byte === COMMA || byte === CLOSE || isSpace(byte);
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}
