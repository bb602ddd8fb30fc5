import type { Filter, ListOptions, Storage } from '@atoll-mcp/core/storage';
import {
  cleanTags,
  collectionFilter,
  collectionOf,
  DEFAULT_COLLECTION,
  isWithin,
  type MemoryFilter,
  orAbsent,
  organisedAttributes,
  passes,
  tagText,
  tagWithin,
} from '../../domain/organise/memory-filter.ts';
import { collectionNotFound } from '../../errors.ts';
import type { Catalog } from '../catalog.ts';
import type { LakeIndex } from '../lake-index.ts';
import {
  attributeUpdateCollection,
  collectionCollection,
  type MemoryRecord,
  memoryCollection,
  settingCollection,
} from '../memory-record.ts';

export interface CollectionSummary {
  readonly name: string;
  readonly description: string;
  readonly memories: number;
}

/** Collections and tags of memories. Changes reach the index even after a crash. */
export class Organiser {
  readonly #storage: Storage;
  readonly #catalog: Catalog;
  readonly #index: LakeIndex;
  readonly #now: () => Date;
  #filled: Promise<void> | undefined;

  constructor(options: { storage: Storage; catalog: Catalog; index: LakeIndex; now: () => Date }) {
    this.#storage = options.storage;
    this.#catalog = options.catalog;
    this.#index = options.index;
    this.#now = options.now;
  }

  /** Applies changes to the index that an earlier process recorded but did not finish. */
  async resume(): Promise<void> {
    const updates = this.#storage.records.collection(attributeUpdateCollection);
    for await (const { id } of updates.scan()) await this.updateIndex(id);
  }

  /** Adds the attributes for date filters to documents of older versions, once. */
  fillAttributes(): Promise<void> {
    this.#filled ??= this.#fill().catch((error) => {
      this.#filled = undefined;
      throw error;
    });
    return this.#filled;
  }

  /** Changes a memory's collection or tags. Undefined if the memory does not exist. */
  async update(
    id: string,
    change: { collection?: string | undefined; tags?: readonly string[] | undefined },
  ): Promise<MemoryRecord | undefined> {
    const changed = await this.#storage.records.transaction(async (tables) => {
      const memories = tables.collection(memoryCollection);
      const memory = await memories.get(id);
      if (!memory) return undefined;
      const updated = organised(memory, change);
      await memories.put({ ...updated, updatedMs: this.#now().getTime() });
      await tables.collection(attributeUpdateCollection).put({ id, sinceMs: this.#now().getTime() });
      return updated;
    });
    if (changed) await this.updateIndex(id);
    return changed;
  }

  /** Fails for an unknown collection, which would otherwise look like an empty result. */
  async check({ collection, collections }: MemoryFilter): Promise<void> {
    if (collection === undefined) return;
    if (isWithin(collections, collection) && (await this.#isThere(collection))) return;
    const names = (await this.collections()).map(({ name }) => name);
    throw collectionNotFound(
      collection,
      names.filter((name) => isWithin(collections, name)),
    );
  }

  async describe(name: string, description: string): Promise<void> {
    await this.#storage.records.collection(collectionCollection).put({ id: name, description });
  }

  /** Every collection that has a memory or a description, the default one first. */
  async collections(): Promise<CollectionSummary[]> {
    const described = new Map<string, string>();
    for await (const { id, description } of this.#storage.records.collection(collectionCollection).scan())
      described.set(id, description);
    const names = new Set([DEFAULT_COLLECTION, ...described.keys(), ...(await this.#namesInUse())]);
    const found = await Promise.all(
      [...names].map(async (name) => ({
        name,
        description: described.get(name) ?? '',
        memories: await this.#catalog.memories.count({ kind: null, collection: { in: orAbsent(name) } }),
      })),
    );
    return found.sort(
      (a, b) =>
        Number(b.name === DEFAULT_COLLECTION) - Number(a.name === DEFAULT_COLLECTION) || (a.name < b.name ? -1 : 1),
    );
  }

  /** A page of memories. A store accepts one condition per field, so further tags are filtered here. */
  async list(
    filter: MemoryFilter,
    where: Filter<MemoryRecord>,
    page: Pick<ListOptions<MemoryRecord>, 'limit' | 'offset'>,
  ) {
    await this.check(filter);
    const full = { ...where, ...recordFilter(filter) };
    if ((filter.tags?.length ?? 0) < 2) return this.#catalog.list({ where: full, ...page });
    const found: MemoryRecord[] = [];
    for await (const memory of this.#catalog.memories.scan(full)) if (passes(filter, memory)) found.push(memory);
    found.sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1));
    const { limit = 50, offset = 0 } = page;
    return { items: found.slice(offset, offset + limit), total: found.length };
  }

  /** Updates the index from the record of a memory. */
  async updateIndex(id: string): Promise<void> {
    const memory = await this.#catalog.memories.get(id);
    if (memory) await this.#index.updateAttributes(id, attributesOf(memory));
    await this.#storage.records.collection(attributeUpdateCollection).delete(id);
  }

  async #isThere(collection: string): Promise<boolean> {
    if (collection === DEFAULT_COLLECTION || (await this.#catalog.memories.count({ collection })) > 0) return true;
    return (await this.#storage.records.collection(collectionCollection).get(collection)) !== undefined;
  }

  async #namesInUse(): Promise<string[]> {
    const names: string[] = [];
    // Skips from one name to the next, so that not every memory is read.
    for (let above = ''; ; ) {
      const where = { collection: { above } };
      const { items } = await this.#catalog.memories.list({ where, order: [{ field: 'collection' }], limit: 1 });
      const name = items[0]?.collection;
      if (name === undefined) return names;
      names.push(name);
      above = name;
    }
  }

  async #fill(): Promise<void> {
    const settings = this.#storage.records.collection(settingCollection);
    if (await settings.get('attributes_filled')) return;
    for await (const memory of this.#catalog.memories.scan({ status: 'ready' }))
      await this.#index.updateAttributes(memory.id, attributesOf(memory));
    await settings.put({ id: 'attributes_filled', value: '1' });
  }
}

/** Attributes for filters of the index. */
export const attributesOf = (memory: MemoryRecord) => ({
  type: memory.type,
  model: memory.model,
  multilingual: memory.multilingual ?? null,
  english: memory.english ?? null,
  ...organisedAttributes(memory),
});

/** The record with a new collection or tags; omitted values stay. */
export function organised(
  record: MemoryRecord,
  { collection, tags }: { collection?: string | undefined; tags?: readonly string[] | undefined },
): MemoryRecord {
  const { collection: former, ...rest } = record;
  const name = collection ?? collectionOf({ collection: former });
  const clean = tags && cleanTags(tags);
  return {
    ...rest,
    ...(name !== DEFAULT_COLLECTION && { collection: name }),
    ...(clean && { tags: clean, tagText: tagText(clean) }),
  };
}

function recordFilter(filter: MemoryFilter): Filter<MemoryRecord> {
  const { tags = [], createdAfterMs, createdBeforeMs, kind } = filter;
  return {
    ...(kind !== undefined && { kind: kind === 'note' ? kind : null }),
    ...collectionFilter(filter, (values) => ({ in: values })),
    ...(tags[0] !== undefined && { tagText: { contains: tagWithin(tags[0]) } }),
    ...((createdAfterMs !== undefined || createdBeforeMs !== undefined) && {
      createdMs: {
        ...(createdAfterMs !== undefined && { atLeast: createdAfterMs }),
        ...(createdBeforeMs !== undefined && { below: createdBeforeMs }),
      },
    }),
  };
}
