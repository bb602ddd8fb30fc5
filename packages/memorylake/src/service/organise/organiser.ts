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

/** Which collection a memory is in and which tags it has; the index follows what is recorded, also after a crash. */
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

  /** Brings the index up to date with what an earlier process recorded and did not finish. */
  async resume(): Promise<void> {
    const updates = this.#storage.records.collection(attributeUpdateCollection);
    for await (const { id } of updates.scan()) await this.updateIndex(id);
  }

  /** Gives documents of older lakes the attributes that dates are filtered by, once. */
  fillAttributes(): Promise<void> {
    this.#filled ??= this.#fill().catch((error) => {
      this.#filled = undefined;
      throw error;
    });
    return this.#filled;
  }

  /** Changes a memory's collection or tags. Undefined when there is no such memory. */
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

  /** A filter of a collection that is not there would look like an answer of nothing. */
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

  /** A page of memories. Several tags are looked through by the first: a store takes one condition of a field. */
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

  /** Brings the index up to date with what is recorded of a memory. */
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
    // From one name to the next: a look at each collection, not at each memory.
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

/** What the index narrows a memory by. */
export const attributesOf = (memory: MemoryRecord) => ({
  type: memory.type,
  model: memory.model,
  multilingual: memory.multilingual ?? null,
  english: memory.english ?? null,
  ...organisedAttributes(memory),
});

/** A record with another collection or other tags; what is left out stays. */
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
