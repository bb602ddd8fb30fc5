import type { Item, ItemStore } from '../backends/interface.ts';
import { parseReference } from '../domain/references.ts';
import { blankName, invalidUpdate, type Kind, notDeleted, notFound, notUpdated } from '../errors.ts';

/** Finds an item by name, `name@N` or uuid. */
export async function find<I extends Item>(store: ItemStore<I>, given: string): Promise<I | undefined> {
  const reference = parseReference(given);
  if (reference.kind === 'uuid') return store.get(reference.uuid);
  const exact = await store.byName(reference.name);
  if (exact || !reference.versioned) return exact;
  return store.byName(reference.versioned.name, reference.versioned.version);
}

export async function findOrRefuse<I extends Item>(store: ItemStore<I>, kind: Kind, given: string): Promise<I> {
  const found = await find(store, given);
  if (!found) throw notFound(kind, given);
  return found;
}

/** All versions of an item, oldest first. */
export async function versions<I extends Item>(store: ItemStore<I>, kind: Kind, given: string): Promise<readonly I[]> {
  const found = await find(store, given);
  const all = found ? await store.versions(found.name) : [];
  if (all.length === 0) throw notFound(kind, given);
  return all;
}

export function isUuid(given: string): boolean {
  return parseReference(given).kind === 'uuid';
}

export async function remove<I extends Item>(store: ItemStore<I>, kind: Kind, given: string): Promise<I> {
  const found = await find(store, given);
  const removed = found && (await store.remove(found.uuid));
  if (!removed) throw notDeleted(kind, given, isUuid(given));
  return removed;
}

/** Updates name, description and what `more` accepts; returns the fields that were ignored. */
export async function update<I extends Item>(
  store: ItemStore<I>,
  kind: Kind,
  given: string,
  updates: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, (value: unknown) => Partial<I>>> = {},
): Promise<{ item: I; ignored: string[] }> {
  const fields: Readonly<Record<string, (value: unknown) => object>> = {
    user_name: (value) => ({ name: nameFrom(value, 'user_name').trim() }),
    description: (value) => ({ description: textFrom(value) }),
    ...more,
  };
  const found = await find(store, given);
  if (!found) throw notUpdated(kind, given, isUuid(given));
  const known = Object.keys(updates).filter((field) => Object.hasOwn(fields, field));
  const changes = Object.assign({}, ...known.map((field) => fields[field]!(updates[field])));
  const item = known.length === 0 ? found : await store.change(found.uuid, (before) => ({ ...before, ...changes }));
  if (!item) throw notUpdated(kind, given, isUuid(given));
  return { item, ignored: Object.keys(updates).filter((field) => !known.includes(field)) };
}

export function nameFrom(value: unknown, field: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw blankName(field);
  return value;
}

function textFrom(value: unknown): string {
  if (typeof value !== 'string') throw invalidUpdate('description must be text.');
  return value;
}
