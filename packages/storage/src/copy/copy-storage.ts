import { createHash } from 'node:crypto';
import type { BlobInfo, BlobStore, Collection, SearchIndex, Storage, StoredRecord } from '@atoll-mcp/core/storage';
import { StorageError } from '@atoll-mcp/core/storage';
import { canonical, documentDigest, sha256 } from '../rules/digest.ts';
import { compareText } from '../rules/matching.ts';
import type { LocalContents } from './local-contents.ts';

export interface CopyProgress {
  /** Such as `records of tensors`. */
  readonly part: string;
  readonly step: 'copying' | 'verifying';
  readonly done: number;
  readonly total: number;
}

export interface CopyOptions {
  /** Whether what is in the target under the same id, but different, gives way. Otherwise it ends the copying. */
  readonly replace?: boolean;
  onProgress?(progress: CopyProgress): void;
}

/** One part that is now the same on both sides. */
export interface CopyReport {
  readonly part: string;
  readonly items: number;
  /** How many of them were not there before. */
  readonly written: number;
  /** Over all items in the order of their ids, as read back from the target. */
  readonly sha256: string;
}

/**
 * Copies records, blobs and search indexes, and reads all of it back to compare. What is there already is left alone, so
 * a run that was cut short is simply run again. Caches and limits are not copied: they fill by themselves.
 */
export async function* copyStorage(
  source: Storage,
  contents: LocalContents,
  target: Storage,
  options: CopyOptions = {},
): AsyncGenerator<CopyReport> {
  for (const definition of contents.collections) {
    const from = source.records.collection(definition);
    const to = target.records.collection(definition);
    yield await copyPart(recordsPart(`records of ${definition.name}`, from, to), options);
  }
  yield await copyPart(blobsPart(source.blobs, target.blobs), options);
  for (const definition of contents.indexes) {
    const part = indexPart(`index ${definition.name}`, source.searchIndex(definition), target.searchIndex(definition));
    yield await copyPart(part, options);
  }
}

/** Two lists of things in the order of their ids, and how to make them the same. */
interface Part<T> {
  readonly name: string;
  count(): Promise<number>;
  source(): AsyncIterable<T>;
  target(): AsyncIterable<T>;
  idOf(item: T): string;
  digest(item: T, side: 'source' | 'target'): string | Promise<string>;
  write(items: readonly T[]): Promise<void>;
  readonly batch: number;
}

function recordsPart(name: string, from: Collection<StoredRecord>, to: Collection<StoredRecord>): Part<StoredRecord> {
  return {
    name,
    count: () => from.count(),
    source: () => from.scan(),
    target: () => to.scan(),
    idOf: ({ id }) => id,
    digest: (record) => sha256(canonical(record)),
    write: (records) => to.putMany(records),
    batch: 200,
  };
}

function blobsPart(from: BlobStore, to: BlobStore): Part<BlobInfo> {
  return {
    name: 'blobs',
    count: () => length(from.list()),
    source: () => from.list(),
    target: () => to.list(),
    idOf: ({ key }) => key,
    async digest({ key }, side) {
      const hash = createHash('sha256');
      for await (const bytes of await (side === 'source' ? from : to).get(key)) hash.update(bytes as Uint8Array);
      return hash.digest('hex');
    },
    async write(blobs) {
      for (const { key } of blobs) await to.put(await from.get(key), { key });
    },
    batch: 1,
  };
}

function indexPart(name: string, from: SearchIndex, to: SearchIndex): Part<Document> {
  return {
    name,
    count: async () => (await from.stats()).documents,
    source: () => from.documents(),
    target: () => to.documents(),
    idOf: ({ id }) => id,
    digest: documentDigest,
    async write(documents) {
      for (const document of documents) await to.upsert(document);
    },
    batch: 1,
  };
}

type Document = Parameters<SearchIndex['upsert']>[0];

async function copyPart<T>(part: Part<T>, { replace = false, onProgress }: CopyOptions): Promise<CopyReport> {
  const total = await part.count();
  let written = 0;
  let done = 0;
  let waiting: T[] = [];
  const flush = async () => {
    if (waiting.length > 0) await part.write(waiting);
    written += waiting.length;
    waiting = [];
  };
  for await (const [item, twin] of paired(part)) {
    const isSame = twin !== undefined && (await part.digest(item, 'source')) === (await part.digest(twin, 'target'));
    if (twin !== undefined && !isSame && !replace) throw differs(part.name, part.idOf(item));
    if (!isSame) waiting.push(item);
    if (waiting.length >= part.batch) await flush();
    done += 1;
    onProgress?.({ part: part.name, step: 'copying', done, total });
  }
  await flush();
  const verified = await verify(part, total, onProgress);
  return { part: part.name, written, ...verified };
}

async function verify<T>(part: Part<T>, total: number, onProgress: CopyOptions['onProgress']) {
  const all = createHash('sha256');
  let items = 0;
  for await (const [item, twin] of paired(part)) {
    const found = twin === undefined ? undefined : await part.digest(twin, 'target');
    if (found === undefined || found !== (await part.digest(item, 'source'))) throw unlike(part.name, part.idOf(item));
    all.update(found);
    items += 1;
    onProgress?.({ part: part.name, step: 'verifying', done: items, total });
  }
  return { items, sha256: all.digest('hex') };
}

/** Each thing of the source with the one of the same id in the target, if there is one. */
async function* paired<T>({ source, target, idOf }: Part<T>): AsyncGenerator<[item: T, twin: T | undefined]> {
  const others = target()[Symbol.asyncIterator]();
  let other = await others.next();
  try {
    for await (const item of source()) {
      while (!other.done && compareText(idOf(other.value), idOf(item)) < 0) other = await others.next();
      yield [item, !other.done && idOf(other.value) === idOf(item) ? other.value : undefined];
    }
  } finally {
    await others.return?.();
  }
}

async function length(things: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of things) count++;
  return count;
}

const differs = (part: string, id: string) =>
  new StorageError('conflict', `"${id}" of ${part} is in both places and not the same. Say which is to stay.`);

const unlike = (part: string, id: string) =>
  new StorageError(
    'corrupt',
    `"${id}" of ${part} did not arrive as it was sent. If a server is still at work on either side, stop it and run again.`,
  );
