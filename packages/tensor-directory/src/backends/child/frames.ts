import type { Readable, Writable } from 'node:stream';

/** A header and the bytes of any number of tensors behind it, as both sides of the pipe send them. */
export interface Frame<H> {
  readonly header: H;
  readonly payload: Uint8Array;
}

/** What a process writes to its error output before it ends itself for its memory. */
export const OUT_OF_MEMORY = 'the memory limit is reached';

const PREFIX_BYTES = 12;

/** Writes one frame: the length of the header, that of the payload, and both. */
export function writeFrame(to: Writable, header: object, payload: readonly Uint8Array[] = []): void {
  const json = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(json.byteLength, 0);
  prefix.writeBigUInt64LE(BigInt(payload.reduce((sum, piece) => sum + piece.byteLength, 0)), 4);
  to.write(Buffer.concat([prefix, json]));
  for (const piece of payload) if (piece.byteLength > 0) to.write(piece);
}

/** Frames in order until the stream ends. More than `maxBytes` in one is an error. */
export async function* readFrames<H>(from: Readable, maxBytes: () => number): AsyncGenerator<Frame<H>> {
  let held: Buffer = Buffer.alloc(0);
  let body: Buffer | undefined;
  let filled = 0;
  let headerBytes = 0;
  for await (const piece of from) {
    let chunk: Buffer = held.byteLength > 0 ? Buffer.concat([held, piece]) : piece;
    held = Buffer.alloc(0);
    while (chunk.byteLength > 0) {
      if (!body) {
        if (chunk.byteLength < PREFIX_BYTES) {
          held = chunk;
          break;
        }
        headerBytes = chunk.readUInt32LE(0);
        const total = headerBytes + Number(chunk.readBigUInt64LE(4));
        if (total > maxBytes()) throw new FrameTooLarge(total);
        // Not from the pool: the tensors in it are looked at as typed arrays.
        body = Buffer.allocUnsafeSlow(total);
        filled = 0;
        chunk = chunk.subarray(PREFIX_BYTES);
      }
      const taken = chunk.copy(body, filled, 0, Math.min(chunk.byteLength, body.byteLength - filled));
      filled += taken;
      chunk = chunk.subarray(taken);
      if (filled < body.byteLength) continue;
      const header = JSON.parse(body.toString('utf8', 0, headerBytes)) as H;
      yield { header, payload: body.subarray(headerBytes) };
      body = undefined;
    }
  }
}

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge';
  constructor(readonly bytes: number) {
    super('The frame is too large');
  }
}
