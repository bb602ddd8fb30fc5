import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type BlobInfo,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  closedStore,
  invalid,
  type PutBlobOptions,
  StorageError,
  type StoredBlob,
} from '@atoll-mcp/core/storage';
import { blobNotFound, checkKey, keyFor, promisedHash, resolveRange, tooShort, wrongHash } from '@atoll-mcp/storage';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/**
 * Blobs as objects: `s3://bucket/prefix`, with `?endpoint=…&region=…` for stores that are not Amazon's. Keys and secrets
 * come from where the AWS SDK looks for them: environment, profile or instance.
 */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  #isClosed = false;

  constructor(address: string, namespace: string) {
    const url = new URL(address);
    if (url.protocol !== 's3:' || url.hostname === '')
      throw invalid('An object store is named like s3://bucket/prefix.');
    const endpoint = url.searchParams.get('endpoint');
    this.#bucket = url.hostname;
    this.#prefix = [...url.pathname.split('/').filter(Boolean), namespace].map((part) => `${part}/`).join('');
    this.#client = new S3Client({
      region: url.searchParams.get('region') ?? 'us-east-1',
      ...(endpoint && { endpoint, forcePathStyle: true }),
    });
  }

  async put(source: BlobSource, options?: PutBlobOptions): Promise<StoredBlob> {
    this.#refuseClosed();
    // The key may depend on the hash, and the hash on all bytes, so they are buffered until it is known.
    const folder = await mkdtemp(join(tmpdir(), 'atoll-s3-'));
    try {
      const path = join(folder, randomUUID());
      const { sha256, sizeBytes } = await keepAside(path, source);
      const key = keyFor(sha256, options);
      const params = { Bucket: this.#bucket, Key: this.#prefix + key, Body: createReadStream(path) };
      await this.#named(key, new Upload({ client: this.#client, params }).done());
      return { key, sizeBytes, sha256 };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const info = await this.stat(key);
    if (!info) throw blobNotFound(key);
    const { start, length } = resolveRange(info, range);
    if (length === 0) return Readable.from([]);
    const promised = range === undefined ? promisedHash(key) : undefined;
    return Readable.from(this.#read(key, start, length, promised), { objectMode: false });
  }

  async readRange(key: string, start: number, length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const bytes of await this.get(key, { start, end: start + length })) parts.push(bytes as Uint8Array);
    return new Uint8Array(Buffer.concat(parts));
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    this.#refuseClosed();
    checkKey(key);
    try {
      const head = await this.#client.send(new HeadObjectCommand(this.#at(key)));
      return { key, sizeBytes: head.ContentLength ?? 0, modifiedMs: head.LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw named(error);
    }
  }

  async delete(key: string): Promise<boolean> {
    if (!(await this.stat(key))) return false;
    await this.#named(key, this.#client.send(new DeleteObjectCommand(this.#at(key))));
    return true;
  }

  async *list(prefix = ''): AsyncIterable<BlobInfo> {
    this.#refuseClosed();
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: this.#prefix + prefix },
    );
    for await (const { Contents = [] } of pages) {
      // Object stores promise this order, but some do not keep it within a page.
      for (const { Key = '', Size = 0, LastModified } of Contents.sort(byKey)) {
        yield { key: Key.slice(this.#prefix.length), sizeBytes: Size, modifiedMs: LastModified?.getTime() ?? 0 };
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#client.destroy();
  }

  async *#read(key: string, start: number, length: number, promised: string | undefined): AsyncGenerator<Uint8Array> {
    const hash = promised === undefined ? undefined : createHash('sha256');
    const range = `bytes=${start}-${start + length - 1}`;
    const { Body } = await this.#named(
      key,
      this.#client.send(new GetObjectCommand({ ...this.#at(key), Range: range })),
    );
    let done = 0;
    for await (const bytes of Body as Readable) {
      hash?.update(bytes as Uint8Array);
      done += (bytes as Uint8Array).byteLength;
      yield bytes as Uint8Array;
    }
    if (done !== length) throw tooShort(key, start + done, start + length);
    if (hash && hash.digest('hex') !== promised) throw wrongHash(key);
  }

  async #named<T>(key: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw statusOf(error) === 404 ? blobNotFound(key) : named(error);
    }
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw closedStore('blob store');
  }
}

const byKey = (a: { Key?: string | undefined }, b: { Key?: string | undefined }) =>
  Buffer.compare(Buffer.from(a.Key ?? ''), Buffer.from(b.Key ?? ''));

const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

function named(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const status = statusOf(error);
  if (status === 401 || status === 403)
    return new StorageError(
      'denied',
      'The object store refuses these keys or this bucket. Check the address and the keys in the environment.',
      { cause: error },
    );
  if (status === 507) return new StorageError('full', 'The object store has no room left.', { cause: error });
  return new StorageError(
    'unavailable',
    'The object store cannot be reached or failed. Check that it runs and that its address is right.',
    { cause: error },
  );
}

async function keepAside(path: string, source: BlobSource): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(path, 'w', 0o600);
  try {
    for await (const bytes of source instanceof Uint8Array ? [source] : source) {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}
