import type { BlobInfo, ByteRange, PutBlobOptions } from '@atoll-mcp/core/storage';
import { invalid, StorageError } from '@atoll-mcp/core/storage';

const PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,200}$/;

/** Where a blob with this hash goes. */
export function keyFor(sha256: string, options: PutBlobOptions = {}): string {
  const { key = (digest: string) => `sha256/${digest.slice(0, 2)}/${digest}` } = options;
  const chosen = typeof key === 'string' ? key : key(sha256);
  checkKey(chosen);
  return chosen;
}

/** Refuses keys that could leave the folder or collide with the store's own files. */
export function checkKey(key: string): void {
  if (key.length > 700 || !key.split('/').every((part) => PART.test(part)) || key.startsWith('.')) {
    throw invalid(
      `"${key.slice(0, 80)}" can't be a blob's key: parts of letters, digits, ".", "_" and "-", joined by "/".`,
    );
  }
}

/** The hash that the key itself promises, if any. */
export function promisedHash(key: string): string | undefined {
  return /(?:^|\/)([0-9a-f]{64})(?![0-9a-f])[^/]*$/.exec(key)?.[1];
}

/** The first byte and the number of bytes that a range means for a blob of this size. */
export function resolveRange(info: BlobInfo, range: ByteRange = {}): { start: number; length: number } {
  const { start = 0, end = info.sizeBytes } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw invalid('A byte range is a start from 0 up and an end not before it.');
  }
  if (end > info.sizeBytes) throw tooShort(info.key, info.sizeBytes, end);
  return { start, length: end - start };
}

export const blobNotFound = (key: string) => new StorageError('not_found', `Blob "${key}" not found.`);

export const tooShort = (key: string, sizeBytes: number, wanted: number) =>
  new StorageError('corrupt', `Blob "${key}" holds ${sizeBytes} bytes, but ${wanted} were expected: store it again.`);

export const wrongHash = (key: string) =>
  new StorageError('corrupt', `Blob "${key}" no longer has the content it was stored with: store it again.`);
