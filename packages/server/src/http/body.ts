import type { IncomingMessage } from 'node:http';
import { HttpRefusal } from './refusal.ts';

/** What a refused sender may still send before the line is cut, so that it gets to read why. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 2000;

/** Refuses a body that says beforehand that it is too large. */
export function checkLength(request: IncomingMessage, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(request, limit);
}

/** Reads the complete body. One that exceeds the limit is rejected at that point, whatever its Content-Length. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      chunks.length = 0;
      reject(tooLarge(request, limit));
    };
    request.on('data', take);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new HttpRefusal(400, 'The body ended early'));
    });
  });
}

function tooLarge(request: IncomingMessage, limit: number): HttpRefusal {
  discard(request);
  const message = `The body is larger than ${limit} bytes`;
  return new HttpRefusal(413, message, { headers: { connection: 'close' } });
}

/** Reads on for a moment and then hangs up: a sender that is cut off at once never sees the answer. */
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
