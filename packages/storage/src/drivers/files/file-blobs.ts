import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { BlobInfo, BlobSource, BlobStore, ByteRange, PutBlobOptions, StoredBlob } from '@atoll-mcp/core/storage';
import { closedStore } from '@atoll-mcp/core/storage';
import {
  blobNotFound,
  checkKey,
  keyFor,
  promisedHash,
  resolveRange,
  tooShort,
  wrongHash,
} from '../../rules/blob-keys.ts';
import { compareText } from '../../rules/matching.ts';
import { DraftFile } from './draft-file.ts';
import { makeFolder, moveIntoPlace, namedFileError, sweep, syncFolder } from './files.ts';

const READ_BYTES = 256 << 10;
/** Hashed before other work gets its turn. */
const HASH_BYTES = 256 << 10;
const ABANDONED_AFTER_MS = 3_600_000;

/** Blobs as plain files in a folder. A key is a path below it. */
export class FileBlobs implements BlobStore {
  readonly #root: string;
  readonly #drafts: string;
  #ready: Promise<void> | undefined;
  #closed = false;

  constructor(root: string) {
    this.#root = root;
    this.#drafts = join(root, '.drafts');
  }

  async put(source: BlobSource, options?: PutBlobOptions): Promise<StoredBlob> {
    this.#refuseClosed();
    await this.#prepare();
    const draft = join(this.#drafts, randomUUID());
    const file = new DraftFile(draft);
    try {
      // A store that is gone is not begun again beside what is left of it.
      await file.opened();
      const { sha256, sizeBytes } = await writeAll(file, notOurs(source));
      const key = keyFor(sha256, options);
      const path = this.#path(key);
      // The way is made ready while the disk still works.
      const ready = makeFolder(dirname(path)).then(() => (promisedHash(key) === sha256 ? this.stat(key) : undefined));
      const [present] = await Promise.all([ready, file.finish()]);
      if (present?.sizeBytes === sizeBytes) {
        await file.discard();
        await syncFolder(dirname(path));
      } else {
        await moveIntoPlace(draft, path);
      }
      return { key, sizeBytes, sha256 };
    } catch (error) {
      await file.discard();
      throw error instanceof SourceFailure ? error.cause : namedFileError(error, this.#root);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const file = await this.#open(key);
    try {
      const { start, length } = resolveRange(await infoOf(file, key), range);
      const hash = range === undefined ? promisedHash(key) : undefined;
      const stream = Readable.from(readAll(file, { key, start, length, hash }), { objectMode: false });
      // One that is given up before its first read never comes to close the file itself.
      return stream.once('close', () => void file.close().catch(() => {}));
    } catch (error) {
      await file.close();
      throw namedFileError(error, this.#path(key));
    }
  }

  async readRange(key: string, start: number, length: number): Promise<Uint8Array> {
    const file = await this.#open(key);
    try {
      resolveRange(await infoOf(file, key), { start, end: start + length });
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        const { bytesRead } = await file.read(bytes, done, length - done, start + done);
        if (bytesRead === 0) throw tooShort(key, start + done, start + length);
        done += bytesRead;
      }
      return bytes;
    } catch (error) {
      throw namedFileError(error, this.#path(key));
    } finally {
      await file.close();
    }
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    this.#refuseClosed();
    try {
      const info = await stat(this.#path(key));
      return info.isFile() ? { key, sizeBytes: info.size, modifiedMs: info.mtimeMs } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw namedFileError(error, this.#path(key));
    }
  }

  async delete(key: string): Promise<boolean> {
    this.#refuseClosed();
    const path = this.#path(key);
    if ((await this.stat(key)) === undefined) return false;
    try {
      await rm(path);
      await syncFolder(dirname(path));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw namedFileError(error, path);
    }
  }

  async *list(prefix = ''): AsyncIterable<BlobInfo> {
    this.#refuseClosed();
    yield* this.#walk('', prefix);
  }

  async localPath(key: string): Promise<string> {
    if ((await this.stat(key)) === undefined) throw blobNotFound(key);
    return this.#path(key);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  async *#walk(folder: string, prefix: string): AsyncIterable<BlobInfo> {
    for (const name of await this.#names(folder)) {
      const key = folder + name;
      if (!key.startsWith(prefix) && !prefix.startsWith(key)) continue;
      if (name.endsWith('/')) yield* this.#walk(key, prefix);
      // A blob that was deleted meanwhile has no information, and is not listed.
      else if (key.startsWith(prefix)) for (const info of [await this.stat(key)]) if (info) yield info;
    }
  }

  /** Folders end in a slash, which is also what puts their content at its right place among the keys. */
  async #names(folder: string): Promise<string[]> {
    try {
      const entries = await readdir(join(this.#root, folder), { withFileTypes: true });
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
      return names.filter((name) => folder !== '' || !name.startsWith('.')).sort(compareText);
    } catch (error) {
      if (isMissing(error)) return [];
      throw namedFileError(error, this.#root);
    }
  }

  async #open(key: string): Promise<FileHandle> {
    this.#refuseClosed();
    const path = this.#path(key);
    try {
      return await open(path, 'r');
    } catch (error) {
      if (isMissing(error)) throw blobNotFound(key);
      throw namedFileError(error, path);
    }
  }

  #prepare(): Promise<void> {
    this.#ready ??= makeFolder(this.#drafts)
      .then(() => sweep(this.#drafts, ABANDONED_AFTER_MS))
      .catch((error: unknown) => {
        this.#ready = undefined;
        throw error;
      });
    return this.#ready;
  }

  #path(key: string): string {
    checkKey(key);
    return join(this.#root, ...key.split('/'));
  }

  #refuseClosed(): void {
    if (this.#closed) throw closedStore('blob store');
  }
}

/** Keeps what fails in a source apart from what fails in the store: both may be errors of files. */
class SourceFailure extends Error {}

async function* notOurs(source: BlobSource): AsyncGenerator<Uint8Array> {
  try {
    yield* source instanceof Uint8Array ? [source] : source;
  } catch (cause) {
    throw new SourceFailure('The source failed', { cause });
  }
}

/** The disk works while the hash does. */
async function writeAll(
  file: DraftFile,
  source: AsyncIterable<Uint8Array>,
): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const part of source) {
    await Promise.all([file.write(part), hashInTurns(hash, part)]);
    sizeBytes += part.byteLength;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

async function hashInTurns(hash: Hash, part: Uint8Array): Promise<void> {
  for (let at = 0; at < part.byteLength; at += HASH_BYTES) {
    hash.update(part.subarray(at, at + HASH_BYTES));
    if (part.byteLength > HASH_BYTES) await otherWork();
  }
}

async function* readAll(
  file: FileHandle,
  { key, start, length, hash }: { key: string; start: number; length: number; hash: string | undefined },
): AsyncGenerator<Uint8Array> {
  const digest = hash === undefined ? undefined : createHash('sha256');
  try {
    for (let done = 0; done < length; ) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, length - done));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start + done);
      if (bytesRead === 0) throw tooShort(key, start + done, start + length);
      done += bytesRead;
      digest?.update(buffer.subarray(0, bytesRead));
      yield buffer.subarray(0, bytesRead);
    }
    if (digest !== undefined && digest.digest('hex') !== hash) throw wrongHash(key);
  } finally {
    await file.close();
  }
}

async function infoOf(file: FileHandle, key: string): Promise<BlobInfo> {
  const { size, mtimeMs } = await file.stat();
  return { key, sizeBytes: size, modifiedMs: mtimeMs };
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
