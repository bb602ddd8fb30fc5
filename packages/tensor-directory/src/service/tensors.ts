import { randomUUID } from 'node:crypto';
import type { ComputedDtype, Tensor, TensorSource } from '@atoll-mcp/formats/dtypes';
import type { Backends, ItemFilter, NewItem, TensorItem } from '../backends/interface.ts';
import { isoMicros, type Micros, parseDate } from '../domain/dates.ts';
import type { Lineage } from '../domain/lineage.ts';
import { PackedList } from '../domain/packed/packed-list.ts';
import { ListFault, readNestedList } from '../domain/values/nested-list.ts';
import { emptyTensor, invalidDate, invalidTensor, invalidUpdate } from '../errors.ts';
import { tags } from '../schemas.ts';
import { find, nameFrom, remove, update, versions } from './items.ts';

interface NewTensor {
  readonly name: string;
  readonly description: string;
  readonly tensor: Tensor | TensorSource;
  readonly tags?: readonly string[] | undefined;
  readonly lineage?: Lineage;
  /** Used instead if the name is taken. */
  readonly nameIfTaken?: string;
}

export interface Limits {
  readonly maxTensorBytes: number;
}

/** Files written at the same time. */
const WRITES_AT_ONCE = 16;

/** Stores, finds, updates and deletes tensors. */
export class Tensors {
  readonly #backends: Backends;
  readonly #clock: () => Micros;
  readonly #limits: Limits;

  constructor(backends: Backends, clock: () => Micros, limits: Limits) {
    this.#backends = backends;
    this.#clock = clock;
    this.#limits = limits;
  }

  async upload(upload: {
    name: string;
    description: string;
    data: unknown;
    dtype?: ComputedDtype | undefined;
    tags?: readonly string[] | undefined;
  }): Promise<TensorItem> {
    const { description, data, dtype } = upload;
    const name = nameFrom(upload.name, 'name');
    if (!isList(data)) throw emptyTensor(name);
    const tensor = this.#read(name, data, dtype);
    const [item] = await this.add([{ name, description, tensor, tags: upload.tags }]);
    return item!;
  }

  /** Stores all of them or none. */
  async add(news: readonly NewTensor[]): Promise<TensorItem[]> {
    for (;;) {
      const items: NewItem<TensorItem>[] = [];
      // Each write waits for the disk, so several run at the same time.
      for (let at = 0; at < news.length; at += WRITES_AT_ONCE)
        items.push(...(await Promise.all(news.slice(at, at + WRITES_AT_ONCE).map((given) => this.#stored(given)))));
      const added = await this.#backends.tensors.add(items);
      if (added) return added;
    }
  }

  async #stored({
    name,
    description,
    tensor,
    tags = [],
    lineage,
    nameIfTaken,
  }: NewTensor): Promise<NewItem<TensorItem>> {
    // Before the concurrent writes, so that times follow the order of the file.
    const createdAt = isoMicros(this.#clock());
    const values = await this.#backends.values.put(tensor);
    const item = {
      uuid: randomUUID(),
      name,
      description,
      createdAt,
      values,
      tags: [...new Set(tags)],
      ...(lineage && { lineage }),
    };
    return { item, ...(nameIfTaken && { nameIfTaken }) };
  }

  async remove(given: string): Promise<TensorItem> {
    const removed = await remove(this.#backends.tensors, 'tensor', given);
    await this.#backends.values.release(removed.values);
    return removed;
  }

  update(given: string, updates: Readonly<Record<string, unknown>>) {
    return update(this.#backends.tensors, 'tensor', given, updates, { tags: (value) => ({ tags: tagsFrom(value) }) });
  }

  list(filter: ItemFilter, page: { offset: number; limit: number }) {
    const dated = { ...filter };
    for (const field of ['createdAfter', 'createdBefore'] as const) {
      const given = filter[field];
      if (given === undefined) continue;
      const date = parseDate(given);
      if (date === undefined) throw invalidDate(field === 'createdAfter' ? 'created_after' : 'created_before', given);
      dated[field] = date;
    }
    return this.#backends.tensors.list(dated, page);
  }

  find(given: string): Promise<TensorItem | undefined> {
    return find(this.#backends.tensors, given);
  }

  versions(given: string): Promise<readonly TensorItem[]> {
    return versions(this.#backends.tensors, 'tensor', given);
  }

  #read(name: string, data: readonly unknown[] | PackedList, dtype: ComputedDtype | undefined): TensorSource {
    try {
      return readNestedList(data, { field: 'tensor_data', dtype, maxBytes: this.#limits.maxTensorBytes });
    } catch (error) {
      throw error instanceof ListFault ? invalidTensor(name, error) : error;
    }
  }
}

function isList(data: unknown): data is readonly unknown[] | PackedList {
  return data instanceof PackedList || (Array.isArray(data) && data.length > 0);
}

function tagsFrom(value: unknown): string[] {
  const given = tags.safeParse(value);
  if (!given.success) throw invalidUpdate('tags must be a list of texts, each in one line.');
  return [...new Set(given.data)];
}
