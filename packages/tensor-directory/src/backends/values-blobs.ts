import { type FileHandle, open } from 'node:fs/promises';
import { type BlobStore, type Storage, StorageError } from '@atoll-mcp/core/storage';
import { bytesOf, type Tensor, type TensorSource } from '@atoll-mcp/formats/dtypes';
import { npyFile, npyHeader } from '@atoll-mcp/formats/npy';
import { MAX_WINDOW, type Window } from '../domain/values/read-plan.ts';
import { damaged } from '../errors.ts';
import type { StoredFile, StoredValues, ValueFiles } from './interface.ts';
import { isBlobUsed } from './store-records.ts';

const ORPHAN_AFTER_MS = 3_600_000;
/** Files up to this size are verified before a part is read. */
const CHECKED_BYTES = 16 << 20;

type Keyed = { readonly key: string };

/** Stores values as `.npy` blobs by content, so that equal values share a file. */
export class BlobValues implements ValueFiles {
  readonly #blobs: BlobStore;
  readonly #records: Storage['records'];
  /** Verified files by modification time. */
  readonly #intact = new Map<string, number>();

  constructor(storage: Storage) {
    this.#blobs = storage.blobs;
    this.#records = storage.records;
  }

  async put(source: Tensor | TensorSource): Promise<StoredValues> {
    const { dtype, shape } = source;
    const started = Date.now();
    const store = () =>
      this.#blobs.put('data' in source ? npyFile(source) : fileOf(source), {
        key: (sha256) => `tensors/${sha256.slice(0, 2)}/${sha256}.npy`,
      });
    const stored = await store();
    if (!(await this.#isSound(stored.key, started))) await store();
    return { key: stored.key, sha256: stored.sha256, dtype, shape };
  }

  async putFile(pieces: readonly Uint8Array[], kind: 'onnx'): Promise<StoredFile> {
    const started = Date.now();
    const store = () =>
      this.#blobs.put([...pieces], { key: (sha256) => `models/${sha256.slice(0, 2)}/${sha256}.${kind}` });
    const stored = await store();
    return (await this.#isSound(stored.key, started)) ? stored : store();
  }

  async gather(values: StoredValues, label: string, windows: Iterable<Window>, sizeBytes: number): Promise<Uint8Array> {
    return this.#named(label, async () => {
      const header = npyHeader(values.dtype, values.shape).byteLength;
      const whole = header + bytesOf(values.dtype, values.shape);
      if (whole <= CHECKED_BYTES) await this.#check(values);
      const out = new Uint8Array(sizeBytes);
      let scratch: Buffer | undefined;
      const path = await this.#blobs.localPath?.(values.key);
      const file = path === undefined ? undefined : await open(path, 'r');
      try {
        for (const { offset, length, pieces } of windows) {
          const at = header + offset;
          // A single piece is read in place; several go through a reused buffer.
          const place = pieces.length === 1 ? out.subarray(pieces[0]!.to, pieces[0]!.to + length) : undefined;
          if (!place) scratch ??= Buffer.allocUnsafeSlow(MAX_WINDOW);
          const bytes = await this.#read(file, values.key, at, place ?? scratch!.subarray(0, length));
          for (const { from, to, length: size } of pieces) {
            if (bytes !== place) out.set(bytes.subarray(from, from + size), to);
          }
        }
      } finally {
        await file?.close();
      }
      return out;
    });
  }

  async *stream(values: Keyed, label: string): AsyncIterable<Uint8Array> {
    const source = await this.#named(label, () => this.#blobs.get(values.key));
    try {
      yield* source as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw nameDamage(label, error);
    }
  }

  async path(values: Keyed, label: string): Promise<string | undefined> {
    return this.#named(label, async () => {
      await this.#check(values);
      return this.#blobs.localPath?.(values.key);
    });
  }

  async locate(values: Keyed, label: string): Promise<string | undefined> {
    return this.#named(label, async () => this.#blobs.localPath?.(values.key));
  }

  async release(values: Keyed): Promise<void> {
    // Under the lock, no reader can begin to use the file between the check and the deletion.
    await this.#records.transaction(async (open) => {
      if (!(await isBlobUsed(open, values.key))) await this.#blobs.delete(values.key);
    });
  }

  /** Whether all files exist; another process may have released one. */
  async has(keys: readonly string[]): Promise<boolean> {
    const infos = await Promise.all(keys.map((key) => this.#blobs.stat(key)));
    return infos.every((info) => info !== undefined);
  }

  async sweep(): Promise<number> {
    let removed = 0;
    for (const folder of ['tensors/', 'models/']) {
      for await (const { key, modifiedMs } of this.#blobs.list(folder)) {
        // Younger ones may belong to an upload that is under way.
        if (Date.now() - modifiedMs < ORPHAN_AFTER_MS) continue;
        if (await isBlobUsed(this.#records, key)) continue;
        await this.release({ key });
        removed++;
      }
    }
    return removed;
  }

  /** Reads into `place` from a local file; otherwise returns new bytes. */
  async #read(file: FileHandle | undefined, key: string, at: number, place: Uint8Array): Promise<Uint8Array> {
    if (!file) return this.#blobs.readRange(key, at, place.byteLength);
    for (let done = 0; done < place.byteLength; ) {
      const { bytesRead } = await file.read(place, done, place.byteLength - done, at + done);
      if (bytesRead === 0) throw new StorageError('corrupt', 'The file is too short');
      done += bytesRead;
    }
    return place;
  }

  /** Existing files are not rewritten, so verify them; a damaged one is deleted. */
  async #isSound(key: string, started: number): Promise<boolean> {
    const info = await this.#blobs.stat(key);
    // New files were hashed while they were written.
    if (info && info.modifiedMs >= started - 1) this.#noteIntact(key, info.modifiedMs);
    if (!info || (await this.#isIntact({ key }))) return true;
    await this.#blobs.delete(key);
    return false;
  }

  async #check(values: Keyed): Promise<void> {
    const info = await this.#blobs.stat(values.key);
    if (!info) throw new StorageError('not_found', 'The file is gone');
    if (this.#intact.get(values.key) === info.modifiedMs) return;
    for await (const _piece of await this.#blobs.get(values.key)) {
      // The hash is compared at the end of the stream.
    }
    this.#noteIntact(values.key, info.modifiedMs);
  }

  #noteIntact(key: string, modifiedMs: number): void {
    if (this.#intact.size >= 10_000) this.#intact.clear();
    this.#intact.set(key, modifiedMs);
  }

  async #isIntact(values: Keyed): Promise<boolean> {
    try {
      await this.#check(values);
      return true;
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  }

  async #named<T>(label: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw nameDamage(label, error);
    }
  }
}

async function* fileOf(source: TensorSource): AsyncGenerator<Uint8Array> {
  yield npyHeader(source.dtype, source.shape);
  yield* source.pieces();
}

function nameDamage(label: string, error: unknown): unknown {
  return isDamage(error) ? damaged(label, error) : error;
}

function isDamage(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'corrupt' || error.code === 'not_found');
}
