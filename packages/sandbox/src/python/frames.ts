import { parseUntrustedJson } from '../json.ts';

/** Frames between host and worker: u32 length, JSON header, then the raw buffers whose sizes the header lists. */
export interface Frame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly buffers: readonly Buffer[];
}

const MAX_HEADER_BYTES = 1024 * 1024;
/** Headers are flat but for lists of numbers. */
const MAX_HEADER_DEPTH = 8;

export function encodeFrame(header: object, buffers: readonly Uint8Array[] = []): Uint8Array[] {
  const text = Buffer.from(JSON.stringify({ ...header, buffers: buffers.map(({ byteLength }) => byteLength) }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return [Buffer.concat([length, text]), ...buffers];
}

/**
 * Puts frames together from what a worker sends. The worker's code is not trusted: no memory is taken for a frame
 * before its sizes were found to be within bounds. Throws on a frame that breaks the rules.
 */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onFrame: (frame: Frame) => void;
  #target = Buffer.alloc(4);
  #filled = 0;
  #header: Frame['header'] | undefined;
  #sizes: number[] = [];
  #buffers: Buffer[] = [];
  #stage: 'length' | 'header' | 'buffers' = 'length';

  constructor(maxBytes: number, onFrame: (frame: Frame) => void) {
    this.#maxBytes = maxBytes;
    this.#onFrame = onFrame;
  }

  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const part = rest.subarray(0, this.#target.length - this.#filled);
      this.#target.set(part, this.#filled);
      this.#filled += part.length;
      rest = rest.subarray(part.length);
      // A part of no bytes is complete at once.
      while (this.#filled === this.#target.length) this.#advance();
    }
  }

  #advance(): void {
    const done = this.#target;
    if (this.#stage === 'length') {
      this.#expect('header', bounded(done.readUInt32LE(0), MAX_HEADER_BYTES));
    } else if (this.#stage === 'header') {
      this.#header = asObject(parseUntrustedJson(done, MAX_HEADER_DEPTH));
      this.#sizes = asSizes(this.#header.buffers, this.#maxBytes);
      this.#next();
    } else {
      this.#buffers.push(done);
      this.#next();
    }
  }

  #next(): void {
    const size = this.#sizes.shift();
    if (size !== undefined) {
      this.#expect('buffers', size);
      return;
    }
    const frame = { header: this.#header!, buffers: this.#buffers };
    this.#buffers = [];
    this.#expect('length', 4);
    this.#onFrame(frame);
  }

  #expect(stage: 'length' | 'header' | 'buffers', bytes: number): void {
    this.#stage = stage;
    // Not from the shared pool: what is handed on has memory of its own, and starts at a multiple of eight.
    this.#target = Buffer.allocUnsafeSlow(bytes);
    this.#filled = 0;
  }
}

function bounded(bytes: unknown, max: number): number {
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0 || Number(bytes) > max) throw new Error('frame out of bounds');
  return Number(bytes);
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('frame without a header');
  return value as Record<string, unknown>;
}

function asSizes(value: unknown, max: number): number[] {
  if (!Array.isArray(value) || value.length > 16) throw new Error('frame without buffer sizes');
  const sizes = value.map((size) => bounded(size, max));
  bounded(
    sizes.reduce((sum, size) => sum + size, 0),
    max,
  );
  return sizes;
}
