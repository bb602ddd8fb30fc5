import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './refusal.ts';

/** What a rejected sender may still send before it is disconnected, so that it can read the response. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 2000;

/** Rejects a body whose Content-Length is too large. */
export function checkLength(request: IncomingMessage, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(request, limit);
}

interface OpenBody {
  bytes: number;
  giveUp(refusal: HttpRefusal): void;
}

/**
 * Reads bodies within a limit for each and one for all. Many senders that never finish would otherwise hold a body each in
 * memory, so the one that has taken longest is refused when there is no more room.
 */
export class BodyReader {
  readonly #limit: number;
  readonly #room: number;
  /** In the order they began. */
  readonly #open = new Set<OpenBody>();
  #bytes = 0;

  constructor(limit: number, ofAll: number) {
    this.#limit = limit;
    this.#room = Math.max(ofAll, 2 * limit);
  }

  /** The complete body. One that exceeds the limit is rejected at that point, whatever its Content-Length. */
  read(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const body: OpenBody = {
        bytes: 0,
        giveUp(refusal) {
          discard(request);
          fail(refusal);
        },
      };
      const end = () => {
        if (this.#open.delete(body)) this.#bytes -= body.bytes;
      };
      const fail = (error: Error) => {
        end();
        request.off('data', take);
        chunks.length = 0;
        reject(error);
      };
      const take = (chunk: Buffer) => {
        chunks.push(chunk);
        body.bytes += chunk.length;
        this.#bytes += chunk.length;
        if (body.bytes > this.#limit) return fail(tooLarge(request, this.#limit));
        if (this.#bytes > this.#room) this.#makeRoom();
      };
      this.#open.add(body);
      // `on` and not `once`, which makes two more objects for each: these come only once.
      request.on('data', take);
      request.on('end', () => {
        end();
        resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      });
      request.on('error', fail);
      request.on('close', () => {
        if (!request.complete) fail(new HttpRefusal(400, 'The body ended early'));
      });
    });
  }

  #makeRoom(): void {
    for (const body of this.#open) {
      if (this.#bytes <= this.#room) return;
      body.giveUp(busy());
    }
  }
}

function busy(): HttpRefusal {
  const headers = { connection: 'close', 'retry-after': '10' };
  return new HttpRefusal(503, 'Too many large bodies are being received; send it again later', { headers });
}

function tooLarge(request: IncomingMessage, limit: number): HttpRefusal {
  discard(request);
  const message = `The body is larger than ${limit} bytes`;
  return new HttpRefusal(413, message, { headers: { connection: 'close' } });
}

/** Reads on for a moment before it disconnects: a sender that is cut off at once never sees the response. */
function discard(request: IncomingMessage): void {
  let left = LINGER_BYTES;
  const hangUp = () => request.destroy();
  const timer = setTimeout(hangUp, LINGER_MS).unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) hangUp();
  });
  request.once('close', () => clearTimeout(timer));
}
