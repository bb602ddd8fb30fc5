import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type BlobInfo,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  closedStore,
  type PutBlobOptions,
  type StoredBlob,
} from '@atoll-mcp/core/storage';
import { blobNotFound, checkKey, keyFor, promisedHash, resolveRange, tooShort, wrongHash } from '@atoll-mcp/storage';
import type { Pool } from './pool.ts';

const PART_BYTES = 1 << 20;
const BATCH = 500;

interface Stored {
  readonly key: string;
  readonly size_bytes: number;
  readonly modified: Date;
  readonly content: string;
}

/** Blobs in parts of a megabyte, over connections of their own. A blob's content is written first and then linked to its key atomically. */
export class PostgresBlobs implements BlobStore {
  readonly #pool: Pool;
  #swept: Promise<void> | undefined;
  #isClosed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async put(source: BlobSource, options?: PutBlobOptions): Promise<StoredBlob> {
    this.#refuseClosed();
    // Leftover files do no harm: after a failed sweep the next blob sweeps again.
    this.#swept ??= this.#sweep().catch(() => {
      this.#swept = undefined;
    });
    await this.#swept;
    const content = randomUUID();
    await this.#pool.query('INSERT INTO atoll_contents (id) VALUES ($1) ON CONFLICT DO NOTHING', [content]);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    let part = 0;
    for await (const bytes of inParts(source)) {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      await this.#pool.query('INSERT INTO atoll_parts VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        content,
        part++,
        bytes,
      ]);
    }
    const sha256 = hash.digest('hex');
    const key = keyFor(sha256, options);
    await this.#pool.transaction(async (client) => {
      const { rows } = await client.query<Stored>('SELECT * FROM atoll_blobs WHERE key = $1 FOR UPDATE', [key]);
      await client.query(
        `INSERT INTO atoll_blobs (key, size_bytes, content) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET size_bytes = excluded.size_bytes, content = excluded.content, modified = now()`,
        [key, sizeBytes, content],
      );
      if (rows[0]) await client.query('DELETE FROM atoll_contents WHERE id = $1', [rows[0].content]);
    }, 'read committed');
    return { key, sizeBytes, sha256 };
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const stored = await this.#find(key);
    const { start, length } = resolveRange(infoOf(stored), range);
    const promised = range === undefined ? promisedHash(key) : undefined;
    return Readable.from(this.#read(stored, start, length, promised), { objectMode: false });
  }

  async readRange(key: string, start: number, length: number): Promise<Uint8Array> {
    const stored = await this.#find(key);
    resolveRange(infoOf(stored), { start, end: start + length });
    const parts: Uint8Array[] = [];
    for await (const bytes of this.#read(stored, start, length, undefined)) parts.push(bytes);
    return new Uint8Array(Buffer.concat(parts));
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    this.#refuseClosed();
    checkKey(key);
    const { rows } = await this.#pool.query<Stored>('SELECT * FROM atoll_blobs WHERE key = $1', [key]);
    return rows[0] && infoOf(rows[0]);
  }

  async delete(key: string): Promise<boolean> {
    this.#refuseClosed();
    checkKey(key);
    return this.#pool.transaction(async (client) => {
      const { rows } = await client.query<Stored>('DELETE FROM atoll_blobs WHERE key = $1 RETURNING *', [key]);
      if (rows[0]) await client.query('DELETE FROM atoll_contents WHERE id = $1', [rows[0].content]);
      return rows.length === 1;
    }, 'read committed');
  }

  async *list(prefix = ''): AsyncIterable<BlobInfo> {
    this.#refuseClosed();
    let after = '';
    for (;;) {
      const sql = `SELECT * FROM atoll_blobs WHERE starts_with(key, $1) AND key > $2 ORDER BY key LIMIT ${BATCH}`;
      const { rows } = await this.#pool.query<Stored>(sql, [prefix, after]);
      for (const row of rows) yield infoOf(row);
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.key;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.close();
  }

  async *#read(
    stored: Stored,
    start: number,
    length: number,
    promised: string | undefined,
  ): AsyncGenerator<Uint8Array> {
    const hash = promised === undefined ? undefined : createHash('sha256');
    const end = start + length;
    for (let at = start; at < end; ) {
      const part = Math.floor(at / PART_BYTES);
      const from = at - part * PART_BYTES;
      const wanted = Math.min(end - at, PART_BYTES - from);
      const sql = 'SELECT substring(bytes FROM $3 FOR $4) AS bytes FROM atoll_parts WHERE content = $1 AND part = $2';
      const { rows } = await this.#pool.query<{ bytes: Buffer }>(sql, [stored.content, part, from + 1, wanted]);
      const bytes = rows[0]?.bytes;
      if (bytes?.byteLength !== wanted) throw tooShort(stored.key, at + (bytes?.byteLength ?? 0), end);
      hash?.update(bytes);
      at += wanted;
      yield bytes;
    }
    if (hash && hash.digest('hex') !== promised) throw wrongHash(stored.key);
  }

  async #find(key: string): Promise<Stored> {
    this.#refuseClosed();
    checkKey(key);
    const { rows } = await this.#pool.query<Stored>('SELECT * FROM atoll_blobs WHERE key = $1', [key]);
    if (!rows[0]) throw blobNotFound(key);
    return rows[0];
  }

  /** Contents without a key belong to a process that died while writing. */
  async #sweep(): Promise<void> {
    await this.#pool.query(
      `DELETE FROM atoll_contents c WHERE began < now() - interval '1 day' AND NOT EXISTS (SELECT FROM atoll_blobs b WHERE b.content = c.id)`,
    );
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw closedStore('blob store');
  }
}

const infoOf = ({ key, size_bytes: sizeBytes, modified }: Stored): BlobInfo => ({
  key,
  sizeBytes,
  modifiedMs: modified.getTime(),
});

async function* inParts(source: BlobSource): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of source instanceof Uint8Array ? [source] : source) {
    for (let at = 0; at < bytes.byteLength; ) {
      const piece = bytes.subarray(at, at + PART_BYTES - size);
      held.push(piece);
      size += piece.byteLength;
      at += piece.byteLength;
      if (size < PART_BYTES) continue;
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}
