import { createHash } from 'node:crypto';
import type { Collection, Collections, ListOptions, Storage } from '@atoll-mcp/core/storage';
import { collectionOf, orAbsent } from '../domain/organise/memory-filter.ts';
import { memoryNotFound, memoryNotReady } from '../errors.ts';
import {
  type FoundFile,
  formerVersion,
  isWorkOf,
  type MemoryRecord,
  memoryCollection,
  newMemory,
  type PendingWork,
  type Registration,
  sourceCollection,
  tableNameCollection,
  versionCollection,
} from './memory-record.ts';
import { nameTables, type WorkStep } from './name-tables.ts';
import { organised } from './organise/organiser.ts';

export const LEASE_MS = 30_000;
/** Sources whose names callers choose within a collection, unlike paths. */
const OF_ONE_COLLECTION = /^(?:in|name|attachment):/;
const WAITING_LEASE_MS = 10 * 60_000; // for queued work, whose lease is not renewed

/** The records of memories: which sources they come from, which work is pending, and who leases it. */
export class Catalog {
  readonly memories: Collection<MemoryRecord>;
  readonly #storage: Storage;
  readonly #now: () => Date;
  readonly #newId: () => string;

  constructor(options: { storage: Storage; now: () => Date; newId: () => string }) {
    this.#storage = options.storage;
    this.memories = options.storage.records.collection(memoryCollection);
    this.#now = options.now;
    this.#newId = options.newId;
  }

  async ready(id: string): Promise<MemoryRecord> {
    const memory = await this.memories.get(id);
    if (memory?.status === 'ready') return memory;
    throw memory ? memoryNotReady(id, memory.name, memory.status, memory.reason) : memoryNotFound(id);
  }

  /** Registers a file. Identical bytes in a collection are one memory; a changed source replaces its former content. */
  register(file: FoundFile): Promise<Registration> {
    const { source, blob } = file;
    const sameBytes = { sha256: blob.sha256, collection: { in: orAbsent(collectionOf(file)) } };
    return this.#transaction(async (tables) => {
      const { memories, sources } = tables;
      const sourceId = hashOf(source);
      const known = await sources.get(sourceId);
      const before = known && (await memories.get(known.memoryId));
      // A memory that was moved to another collection stays there, except for paths: a path is the same file in every collection.
      const isSame = before && (!OF_ONE_COLLECTION.test(source) || collectionOf(before) === collectionOf(file));
      const former = isSame ? before : undefined;
      const [same] = (await memories.list({ where: sameBytes, limit: 1 })).items;
      const pending: PendingWork = { blobKey: blob.key, name: file.name, sizeBytes: blob.sizeBytes, owner: file.owner };
      if (same) {
        await sources.put({ id: sourceId, source, memoryId: same.id });
        const orphan = former && former.id !== same.id ? await dropIfOrphaned(former.id, tables) : undefined;
        if (same.status !== 'failed' || same.pending)
          return { memory: same, isDuplicate: true, isPending: false, orphan };
        const status = 'processing' as const;
        const retried = { ...same, status, reason: null, pending, leaseUntilMs: this.#leaseEnd() };
        await memories.put(retried);
        return { memory: retried, isDuplicate: true, isPending: true, orphan };
      }
      const isSole = former && (await sources.count({ memoryId: former.id })) === 1;
      const memory: MemoryRecord = isSole
        ? {
            ...organised(former, file),
            sha256: blob.sha256,
            pending,
            leaseUntilMs: this.#leaseEnd(),
            status: former.status === 'ready' ? 'ready' : 'processing',
            lineage: file.lineage ?? null,
          }
        : {
            ...organised(
              newMemory(`ds-${this.#newId()}`, file, pending, { nowMs: this.#nowMs(), leaseUntilMs: this.#leaseEnd() }),
              file,
            ),
            ...(file.lineage && { lineage: file.lineage }),
            ...(file.partOf !== undefined && { partOf: file.partOf }),
          };
      await memories.put(memory);
      await sources.put({ id: sourceId, source, memoryId: memory.id });
      return { memory, isDuplicate: false, isPending: true, orphan: undefined };
    });
  }

  /** Leases pending work, unless another owner holds the lease, and counts the attempt. */
  claim(id: string, owner: string, isGone: (owner: string) => boolean): Promise<MemoryRecord | undefined> {
    return this.#transaction(async ({ memories }) => {
      const memory = await memories.get(id);
      if (!memory?.pending) return undefined;
      const isFree =
        memory.pending.owner === owner || (memory.leaseUntilMs ?? 0) < this.#nowMs() || isGone(memory.pending.owner);
      if (!isFree) return undefined;
      const begun = (memory.pending.begun ?? 0) + 1;
      const claimed = { ...memory, pending: { ...memory.pending, owner, begun }, leaseUntilMs: this.#leaseEnd() };
      await memories.put(claimed);
      return claimed;
    });
  }

  /** Gives the attempt back: the work was interrupted, not failed. */
  postpone(id: string, pending: PendingWork): Promise<boolean> {
    return this.#whileOwned(id, pending, async (memory, { memories }) => {
      await memories.put({ ...memory, pending: { ...pending, begun: (pending.begun ?? 1) - 1 } });
    });
  }

  /** Renews the lease; false if it was lost. */
  async renew(id: string, pending: PendingWork): Promise<boolean> {
    // A fresh lease is not written again: no other process takes over before it ends.
    const now = await this.memories.get(id);
    if (!isWorkOf(now, pending)) return false;
    if (this.#isFresh(now)) return true;
    return this.#whileOwned(id, pending, async (memory, { memories }) => {
      if (!this.#isFresh(memory)) await memories.put({ ...memory, leaseUntilMs: this.#leaseEnd() });
    });
  }

  /** Publishes an intermediate result. False if the file was changed or removed meanwhile. */
  publish(...step: WorkStep): Promise<boolean> {
    return this.#record(step, (memory) => ({
      pending: memory.pending && { ...memory.pending, begun: 0 },
      leaseUntilMs: this.#nowMs() + WAITING_LEASE_MS,
    }));
  }

  /** Records the result and ends the work. False if the file was changed or removed meanwhile. */
  finish(...step: WorkStep): Promise<boolean> {
    return this.#record(step, () => ({ pending: null, leaseUntilMs: null }));
  }

  #record(
    [id, pending, result, sheets, documentTables = []]: WorkStep,
    workOf: (memory: MemoryRecord) => Pick<MemoryRecord, 'pending' | 'leaseUntilMs'>,
  ): Promise<boolean> {
    return this.#whileOwned(id, pending, async (memory, { memories, tableNames, versions }) => {
      const former = formerVersion(memory, pending, this.#nowMs());
      if (former) await versions.put(former);
      const named = await nameTables(tableNames, memory, pending.name, { sheets, documentTables });
      await memories.put({
        ...memory,
        ...result,
        name: pending.name,
        blobKey: pending.blobKey,
        sizeBytes: pending.sizeBytes,
        ...named,
        ...(former && { version: former.version + 1, versionMs: former.untilMs }),
        updatedMs: this.#nowMs(),
        ...workOf(memory),
      });
    });
  }

  /** Releases the lease of unfinished work. */
  release(id: string, owner: string): Promise<void> {
    return this.#transaction(async ({ memories }) => {
      const memory = await memories.get(id);
      if (memory?.pending?.owner === owner) await memories.put({ ...memory, leaseUntilMs: 0 });
    });
  }

  /** Marks a memory to be read again from its stored bytes. */
  reopen(id: string, owner: string, name?: string): Promise<boolean> {
    return this.#transaction(async ({ memories }) => {
      const memory = await memories.get(id);
      if (!memory || memory.pending) return false;
      const pending = { blobKey: memory.blobKey, name: name ?? memory.name, sizeBytes: memory.sizeBytes, owner };
      await memories.put({ ...memory, pending, leaseUntilMs: this.#leaseEnd() });
      return true;
    });
  }

  /** Deletes a memory and its sources. Returns the deleted record. */
  remove(id: string): Promise<MemoryRecord | undefined> {
    return this.#transaction(async (tables) => {
      const { memories, sources } = tables;
      const memory = await memories.get(id);
      if (!memory) return undefined;
      for (const { id: source } of (await sources.list({ where: { memoryId: id }, limit: 100_000 })).items)
        await sources.delete(source);
      await drop(id, tables);
      return memory;
    });
  }

  /** Deletes one source. Returns the id of its memory if that was its last source, unless the memory is in another collection. */
  forgetSource(source: string, collection?: string): Promise<string | undefined> {
    return this.#transaction(async ({ memories, sources }) => {
      const known = await sources.get(hashOf(source));
      if (!known) return undefined;
      const memory = collection === undefined ? undefined : await memories.get(known.memoryId);
      const isElsewhere = memory !== undefined && collectionOf(memory) !== collection;
      if (!isElsewhere && (await sources.count({ memoryId: known.memoryId })) === 1) return known.memoryId;
      await sources.delete(known.id);
      return undefined;
    });
  }

  async sourcesOf(memoryId: string): Promise<string[]> {
    const sources = this.#storage.records.collection(sourceCollection);
    return (await sources.list({ where: { memoryId } })).items.map(({ source }) => source);
  }

  async sourcesUnder(prefix: string): Promise<string[]> {
    const found: string[] = [];
    const sources = this.#storage.records.collection(sourceCollection);
    for await (const { source } of sources.scan({ source: { startsWith: prefix } })) found.push(source);
    return found;
  }

  /** Work whose lease has expired or whose owner has ended. */
  async abandoned(isGone: (owner: string) => boolean): Promise<string[]> {
    const found: string[] = [];
    for await (const memory of this.memories.scan({ leaseUntilMs: { atLeast: 0 } })) {
      if (memory.pending && ((memory.leaseUntilMs ?? 0) < this.#nowMs() || isGone(memory.pending.owner)))
        found.push(memory.id);
    }
    return found;
  }

  /** Releases bytes that no memory uses; the transaction keeps them from being registered meanwhile. */
  releaseBlob(key: string, release: () => Promise<unknown>): Promise<void> {
    return this.#transaction(async ({ memories, versions }) => {
      if ((await memories.count({ blobKey: key })) + (await versions.count({ blobKey: key })) > 0) return;
      const { items } = await memories.list({ where: { leaseUntilMs: { atLeast: 0 } }, limit: 100_000 });
      if (!items.some(({ pending }) => pending?.blobKey === key)) await release();
    });
  }

  /** Ready memories that have tables, found by an index. */
  async withTables(ids: readonly string[] | undefined): Promise<MemoryRecord[]> {
    const tableNames = this.#storage.records.collection(tableNameCollection);
    const found = new Set<string>();
    for await (const { memoryId } of tableNames.scan(ids && { memoryId: { in: ids } })) found.add(memoryId);
    const memories = await this.memories.getMany([...found]);
    return memories.filter((memory): memory is MemoryRecord => memory?.status === 'ready');
  }

  list(options: ListOptions<MemoryRecord>) {
    return this.memories.list({ order: [{ field: 'createdMs' }, { field: 'id' }], ...options });
  }

  #whileOwned(
    id: string,
    pending: PendingWork,
    work: (memory: MemoryRecord, collections: Tables) => Promise<void>,
  ): Promise<boolean> {
    return this.#transaction(async (tables) => {
      const memory = await tables.memories.get(id);
      if (!isWorkOf(memory, pending)) return false;
      await work(memory, tables);
      return true;
    });
  }

  #transaction<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#storage.records.transaction((collections) => work(tablesOf(collections)));
  }

  #isFresh({ leaseUntilMs }: MemoryRecord): boolean {
    const leftMs = (leaseUntilMs ?? 0) - this.#nowMs();
    return leftMs >= LEASE_MS / 2 && leftMs <= LEASE_MS;
  }

  #nowMs = (): number => this.#now().getTime();
  #leaseEnd = (): number => this.#nowMs() + LEASE_MS;
}

const tablesOf = (collections: Collections) => ({
  memories: collections.collection(memoryCollection),
  sources: collections.collection(sourceCollection),
  tableNames: collections.collection(tableNameCollection),
  versions: collections.collection(versionCollection),
});

type Tables = ReturnType<typeof tablesOf>;

async function dropIfOrphaned(id: string, tables: Tables): Promise<MemoryRecord | undefined> {
  const { memories, sources } = tables;
  const memory = (await sources.count({ memoryId: id })) === 0 ? await memories.get(id) : undefined;
  if (memory) await drop(id, tables);
  return memory;
}

/** Deletes a memory and frees the names of its tables. */
async function drop(id: string, { memories, tableNames }: Tables): Promise<void> {
  for (const { id: table } of (await tableNames.list({ where: { memoryId: id }, limit: 10_000 })).items)
    await tableNames.delete(table);
  await memories.delete(id);
}

const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');
