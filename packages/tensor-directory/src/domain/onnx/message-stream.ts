import { FormatError } from '@atoll-mcp/formats/format-error';

const MAX_VARINT_BYTES = 10;
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
const LENGTH_DELIMITED = 2;

/** The key of a field in a stream; what follows is `length` bytes long. A number is read with its key. */
interface FieldStart {
  readonly number: number;
  readonly length: number;
}

/** A protobuf message read from a stream, so that a part of it can be skipped without being held. */
export class MessageStream {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** How many bytes were read so far. */
  position = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the stream. */
  async next(): Promise<FieldStart | undefined> {
    if (!(await this.#hasMore())) return undefined;
    const key = await this.#varint();
    const [number, wire] = [Math.floor(key / 8), key % 8];
    if (wire === 0) {
      await this.#varint();
      return { number, length: 0 };
    }
    const length = wire === LENGTH_DELIMITED ? await this.#varint() : FIXED_BYTES[wire];
    if (length === undefined || number < 1) throw damaged();
    return { number, length };
  }

  async take(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    await this.#pass(length, (part, at) => bytes.set(part, at));
    return bytes;
  }

  async skip(length: number): Promise<void> {
    await this.#pass(length, () => {});
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #pass(length: number, use: (part: Uint8Array, at: number) => void): Promise<void> {
    for (let done = 0; done < length; ) {
      if (!(await this.#hasMore())) throw damaged();
      const part = this.#chunk.subarray(this.#at, this.#at + length - done);
      use(part, done);
      done += part.byteLength;
      this.#at += part.byteLength;
      this.position += part.byteLength;
    }
  }

  async #varint(): Promise<number> {
    let value = 0;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      if (!(await this.#hasMore())) throw damaged();
      const byte = this.#chunk[this.#at++]!;
      this.position++;
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw damaged();
  }

  async #hasMore(): Promise<boolean> {
    while (this.#at >= this.#chunk.byteLength) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#chunk = value;
      this.#at = 0;
    }
    return true;
  }
}

export const damaged = () => new FormatError('it is not an ONNX model, or it is damaged');
