import {
  type Collection,
  type CollectionDefinition,
  type Collections,
  type Condition,
  type Filter,
  type ListOptions,
  type RecordStore,
  StorageError,
  type StoredRecord,
} from '@atoll-mcp/core/storage';
import { countOf, parseShapeText, shapeText } from '@atoll-mcp/formats/dtypes';
import { storageNotFound } from '../errors.ts';
import type { Found, Item, ItemFilter, ItemStore, ModelItem, NewItem, TensorItem } from './interface.ts';

/** An item with its indexed fields. */
interface ItemRecord extends StoredRecord {
  readonly name: string;
  readonly version: number;
  readonly createdAt: string;
  /** Lower-case name and description, for word search. */
  readonly words: string;
  readonly dtype?: string;
  readonly shape?: string;
  readonly ndim?: number;
  /** Each tag between two line feeds. */
  readonly tags?: string;
  /** Key of the values, of the weights, or of the model's file. */
  readonly blob?: string;
  readonly item: Item;
}

/** The last version number of each name, kept after deletion. */
interface NameRecord extends StoredRecord {
  readonly last: number;
}

const NAMES: CollectionDefinition<NameRecord> = { name: 'names', version: 1, fields: {} };

const definitionOf = (name: string): CollectionDefinition<ItemRecord> => ({
  name,
  version: 1,
  fields: {
    name: 'text',
    version: 'integer',
    createdAt: 'text',
    words: 'text',
    dtype: 'text',
    shape: 'text',
    ndim: 'integer',
    tags: 'text',
    blob: 'text',
  },
  ignoreCase: ['name'],
  unique: [['name', 'version']],
  indexes: [['blob']],
});
const DEFINITIONS = { tensors: definitionOf('tensors'), models: definitionOf('models') };

/** Whether a tensor or model uses these values. Reliable only inside a transaction. */
export async function isBlobUsed(store: Collections, key: string): Promise<boolean> {
  const counts = Object.values(DEFINITIONS).map((definition) => store.collection(definition).count({ blob: key }));
  return (await Promise.all(counts)).some((count) => count > 0);
}

/** Tensors or models in the record store. */
export class RecordItemStore<I extends TensorItem | ModelItem> implements ItemStore<I> {
  readonly #store: RecordStore;
  readonly #definition: CollectionDefinition<ItemRecord>;
  readonly #items: Collection<ItemRecord>;
  readonly #hasBlobs: (keys: readonly string[]) => Promise<boolean>;

  /** `hasBlobs` is called inside the transaction that adds items, during which no blob can be released. */
  constructor(
    store: RecordStore,
    kind: keyof typeof DEFINITIONS,
    hasBlobs: (keys: readonly string[]) => Promise<boolean>,
  ) {
    this.#store = store;
    this.#definition = DEFINITIONS[kind];
    this.#items = store.collection(this.#definition);
    this.#hasBlobs = hasBlobs;
  }

  async get(uuid: string): Promise<I | undefined> {
    await this.#requireFile();
    return itemIn(await this.#items.get(uuid));
  }

  async byName(name: string, version?: number): Promise<I | undefined> {
    await this.#requireFile();
    const where = version === undefined ? { name } : { name, version };
    const { items } = await this.#items.list({ where, order: [{ field: 'version', direction: 'desc' }], limit: 1 });
    return itemIn(items[0]);
  }

  async versions(name: string): Promise<I[]> {
    await this.#requireFile();
    const { items } = await this.#items.list({ where: { name }, order: [{ field: 'version' }], limit: 10_000 });
    return items.map((record) => itemIn<I>(record)!);
  }

  async add(news: readonly NewItem<I>[]): Promise<I[] | undefined> {
    // Uploads report store failures with their own message.
    if (!(await this.#isThere())) throw new StorageError('not_found', storageNotFound().message);
    return this.#store.transaction(async (open) => {
      if (!(await this.#hasBlobs(news.flatMap(({ item }) => blobOf(item) ?? [])))) return undefined;
      const added: I[] = [];
      for (const { item, nameIfTaken } of news) {
        const isTaken =
          nameIfTaken !== undefined && (await open.collection(this.#definition).count({ name: item.name })) > 0;
        const name = isTaken ? nameIfTaken : item.name;
        const version = await this.#nextVersion(open, name);
        const complete = { ...item, name, version } as unknown as I;
        await open.collection(this.#definition).insert(recordOf(complete));
        added.push(complete);
      }
      return added;
    });
  }

  async change(uuid: string, change: (item: I) => I): Promise<I | undefined> {
    await this.#requireFile();
    return this.#store.transaction(async (open) => {
      const before = itemIn<I>(await open.collection(this.#definition).get(uuid));
      if (!before) return undefined;
      const changed = change(before);
      const renamed = changed.name !== before.name;
      const after = renamed ? { ...changed, version: await this.#nextVersion(open, changed.name) } : changed;
      await open.collection(this.#definition).put(recordOf(after));
      return after;
    });
  }

  async remove(uuid: string): Promise<I | undefined> {
    await this.#requireFile();
    return this.#store.transaction(async (open) => {
      const items = open.collection(this.#definition);
      const found = itemIn<I>(await items.get(uuid));
      if (found) await items.delete(uuid);
      return found;
    });
  }

  async list(filter: ItemFilter, page: { offset: number; limit: number }): Promise<Found<I>> {
    await this.#requireFile();
    const { where, rest } = conditionsOf(filter);
    const order = [
      { field: 'name', ignoreCase: true },
      { field: 'createdAt' },
    ] satisfies ListOptions<ItemRecord>['order'];
    if (!rest && !filter.order) {
      const { items, total } = await this.#items.list({ where, order, ...page });
      return { items: items.map((record) => itemIn<I>(record)!), total };
    }
    const matching: ItemRecord[] = [];
    for await (const record of this.#items.scan(where)) if (rest?.(record) ?? true) matching.push(record);
    matching.sort(comparison(filter.order));
    const shown = matching.slice(page.offset, page.offset + page.limit);
    return { items: shown.map((record) => itemIn<I>(record)!), total: matching.length };
  }

  /** Detects that the database file was deleted: writes to it would be lost. */
  async #requireFile(): Promise<void> {
    if (!(await this.#isThere())) throw storageNotFound();
  }

  async #isThere(): Promise<boolean> {
    return (await this.#store.isThere?.()) ?? true;
  }

  async #nextVersion(open: Collections, name: string): Promise<number> {
    const names = open.collection(NAMES);
    const id = `${this.#definition.name}/${name}`;
    const last = (await names.get(id))?.last ?? 0;
    await names.put({ id, last: last + 1 });
    return last + 1;
  }
}

/** Conditions for the store, and a test for the rest of the filter. */
function conditionsOf(filter: ItemFilter): { where: Filter<ItemRecord>; rest?: (record: ItemRecord) => boolean } {
  const words = (filter.text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .sort((a, b) => b.length - a.length);
  const open = filter.shape?.includes(null) ?? false;
  const where: { -readonly [F in keyof ItemRecord]?: Condition } = {};
  if (filter.nameContains) where.name = { contains: filter.nameContains, ignoreCase: filter.caseSensitive === false };
  if (words[0]) where.words = { contains: words[0] };
  if (filter.dtypes) where.dtype = { in: filter.dtypes };
  if (filter.ndim !== undefined) where.ndim = filter.ndim;
  if (filter.tag !== undefined) where.tags = { contains: `\n${filter.tag}\n` };
  if (filter.createdAfter || filter.createdBefore) {
    where.createdAt = {
      ...(filter.createdAfter && { above: filter.createdAfter }),
      ...(filter.createdBefore && { below: filter.createdBefore }),
    };
  }
  if (filter.shape && !open) where.shape = shapeText(filter.shape as number[]);
  else if (filter.shape) where.ndim = filter.shape.length;
  const { matches } = filter;
  if (words.length < 2 && !open && !matches) return { where };
  const fits = (sizes: readonly number[]) => filter.shape!.every((size, axis) => size === null || size === sizes[axis]);
  return {
    where,
    rest: (record) =>
      words.every((word) => record.words.includes(word)) &&
      (!open || fits(parseShapeText(record.shape ?? ''))) &&
      (matches?.(itemIn<TensorItem | ModelItem>(record)!) ?? true),
  };
}

function recordOf(item: TensorItem | ModelItem): ItemRecord {
  const { uuid, name, version, createdAt, description } = item;
  const values = 'values' in item ? item.values : undefined;
  const blob = blobOf(item);
  return {
    id: uuid,
    name,
    version,
    createdAt,
    words: `${name}\n${description}`.toLowerCase(),
    ...(values && { dtype: values.dtype, shape: shapeText(values.shape), ndim: values.shape.length }),
    ...('tags' in item && { tags: `\n${item.tags.join('\n')}\n` }),
    ...(blob && { blob }),
    item,
  };
}

function blobOf(item: object): string | undefined {
  const { values, weights, onnx } = item as Partial<Pick<TensorItem, 'values'> & ModelItem>;
  return (values ?? weights ?? onnx?.file)?.key;
}

function itemIn<I>(record: ItemRecord | undefined): I | undefined {
  // Each store puts in only items of its own kind.
  return record && (withLineage(record.item) as I);
}

/** Records of earlier versions hold the lineage under its wire names. */
function withLineage(item: Item & { readonly lineage?: unknown }): Item {
  const { model_uuid, model_name, duration_ms, inputs } = (item.lineage ?? {}) as Record<string, unknown>;
  if (model_uuid === undefined) return item;
  return {
    ...item,
    lineage: { modelUuid: model_uuid, modelName: model_name, inputs, durationMs: duration_ms },
  } as Item;
}

/** By name by default; ties stay in that order. */
function comparison(order: ItemFilter['order']): (a: ItemRecord, b: ItemRecord) => number {
  const folded = (record: ItemRecord) => record.name.toLowerCase();
  const byName = (a: ItemRecord, b: ItemRecord) =>
    compare(folded(a), folded(b)) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id);
  const size = ({ shape }: ItemRecord) => countOf(parseShapeText(shape ?? ''));
  switch (order) {
    case 'newest':
      return (a, b) => compare(b.createdAt, a.createdAt) || byName(a, b);
    case 'oldest':
      return (a, b) => compare(a.createdAt, b.createdAt) || byName(a, b);
    case 'largest':
      return (a, b) => size(b) - size(a) || byName(a, b);
    case 'smallest':
      return (a, b) => size(a) - size(b) || byName(a, b);
    default:
      return byName;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
