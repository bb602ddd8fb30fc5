import type { TensorItem } from '../backends/interface.ts';
import { nameMatcher } from '../domain/compare/name-pattern.ts';
import { parseUuid } from '../domain/references.ts';
import { noSuchTensors, tooManyTensors } from '../errors.ts';
import type { Tensors } from './tensors.ts';

/** Tensors that belong together, by the part of their names after the common prefix. */
export type TensorSet = Map<string, TensorItem>;

const MAX_TENSORS = 200_000;

/** The newest versions of all tensors, or of those whose names match. */
export async function tensorsMatching(tensors: Tensors, pattern: string | undefined): Promise<TensorItem[]> {
  const matches = pattern === undefined ? () => '' : nameMatcher(pattern);
  const found = newest(await all(tensors, ({ name }) => matches(name) !== undefined));
  if (found.length === 0 && pattern !== undefined) throw noSuchTensors(pattern);
  return found;
}

/**
 * What a user means by a checkpoint: the id of an import, the name that its tensors begin with (the newest import under it),
 * `name@2` for the second import under that name, or a pattern with stars.
 */
export async function tensorSet(tensors: Tensors, given: string): Promise<TensorSet> {
  const id = parseUuid(given);
  if (id) return keyed(await all(tensors, ({ lineage }) => lineage?.importId === id), given);
  const matches = nameMatcher(given);
  const found = await all(tensors, ({ name }) => matches(name) !== undefined);
  if (found.length > 0) return keyedBy(current(found, given), matches);
  const [, name, number] = /^(.+)@([1-9]\d{0,5})$/.exec(given) ?? [];
  if (name === undefined) throw noSuchTensors(given);
  const below = nameMatcher(name);
  const imports = importsOf(await all(tensors, (item) => below(item.name) !== undefined && hasImport(item)));
  const chosen = imports[Number(number) - 1];
  if (!chosen)
    throw noSuchTensors(given, imports.length > 0 ? `there are ${imports.length} import(s) of '${name}'` : undefined);
  return keyedBy(chosen, below);
}

const hasImport = ({ lineage }: TensorItem) => lineage?.importId !== undefined;

/** A plain name means its newest import only. */
function current(items: readonly TensorItem[], given: string): readonly TensorItem[] {
  const isPlain = !/[*?]/.test(given);
  return isPlain && items.every(hasImport) ? importsOf(items).at(-1)! : newest(items);
}

function importsOf(items: readonly TensorItem[]): TensorItem[][] {
  const groups = new Map<string, TensorItem[]>();
  for (const item of items.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
    const id = item.lineage!.importId!;
    groups.set(id, [...(groups.get(id) ?? []), item]);
  }
  return [...groups.values()];
}

function newest(items: readonly TensorItem[]): TensorItem[] {
  const byName = new Map<string, TensorItem>();
  for (const item of items) if ((byName.get(item.name)?.version ?? 0) < item.version) byName.set(item.name, item);
  return [...byName.values()];
}

/** All tensors of one import share the beginning of their names. */
function keyed(items: readonly TensorItem[], given: string): TensorSet {
  if (items.length === 0) throw noSuchTensors(given);
  const base = items.length === 1 ? items[0]!.name : commonStart(items.map(({ name }) => name));
  return new Map(items.map((item) => [item.name.slice(base.length), item]));
}

function keyedBy(items: readonly TensorItem[], matches: (name: string) => string | undefined): TensorSet {
  return new Map(items.map((item) => [matches(item.name)!, item]));
}

/** The common prefix, including its last dot. */
function commonStart(names: readonly string[]): string {
  let start = names[0]!;
  for (const name of names) while (!name.startsWith(start)) start = start.slice(0, -1);
  return start.slice(0, start.indexOf('.') + 1);
}

async function all(tensors: Tensors, matches: (item: TensorItem) => boolean): Promise<readonly TensorItem[]> {
  const { items, total } = await tensors.list(
    { matches: (item) => 'values' in item && matches(item) },
    { offset: 0, limit: MAX_TENSORS },
  );
  if (total > items.length) throw tooManyTensors(total, MAX_TENSORS);
  return items;
}
