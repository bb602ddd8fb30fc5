import { bytesOf, countOf } from '@atoll-mcp/formats/dtypes';
import type { ItemFilter, ModelItem, TensorItem } from '../backends/interface.ts';
import { parseDate } from '../domain/dates.ts';
import { COMMON_FIELDS, type Figure, type Filter, isIn, MODEL_FIELDS, type Order } from '../domain/filter.ts';
import { hasWords, wordsIn } from '../domain/words.ts';
import { promptNotRead } from '../errors.ts';
import type { Models } from './models.ts';
import { MAX_READ_BYTES, type Part, type ValueFigures } from './plan-context.ts';
import type { Tensors } from './tensors.ts';

/** The largest page of a search that reads values. */
const MAX_SEARCHED = 10_000;
const MAX_TIES = 20;

export interface ItemSelectionOptions {
  readonly tensors: Tensors;
  readonly models: Models;
  /** By name: what the plan made comes before what is stored. */
  readonly find: (name: string, kind: 'tensor' | 'model') => Promise<TensorItem | ModelItem | undefined>;
  readonly isThere: (name: string) => Promise<boolean>;
  readonly figures: (part: Part, wanted: readonly Figure[]) => Promise<ValueFigures>;
}

export interface Ranked {
  readonly item: TensorItem;
  readonly value: number;
  /** Whether there are infinite values, which figures leave out. */
  readonly isPartial: boolean;
}

/** Tensors and models that meet a filter, by what is stored of them and by their values. */
export class ItemSelection {
  readonly #options: ItemSelectionOptions;

  constructor(options: ItemSelectionOptions) {
    this.#options = options;
  }

  /** A sentence about a tensor or model that the filter names and that is not there. */
  async check(what: 'tensors' | 'models', filter: Filter, order: Order | undefined): Promise<string | undefined> {
    const parts = [filter, ...(filter.unless ?? []), ...(filter.anyOf ?? [])];
    for (const { madeFrom, madeBy } of parts) {
      if (madeFrom !== undefined && !(await this.#options.isThere(madeFrom))) return `Tensor '${madeFrom}' not found.`;
      if (madeBy !== undefined && !(await this.#options.models.find(madeBy))) return `Model '${madeBy}' not found.`;
    }
    for (const name of filter.except ?? []) {
      const found = what === 'tensors' ? await this.#options.isThere(name) : await this.#options.models.find(name);
      if (!found) return `${what === 'tensors' ? 'Tensor' : 'Model'} '${name}' not found.`;
    }
    for (const { createdAfter, createdBefore } of parts) {
      dateOf(createdAfter);
      dateOf(createdBefore);
    }
    if (what === 'models' && (order === 'largest' || order === 'smallest'))
      throw promptNotRead('models have no number of values to sort by.');
    return undefined;
  }

  /** Those that have as many values as the last of the largest or smallest are added, for none of them comes first. */
  async select(
    what: 'tensors' | 'models',
    filter: Filter,
    { order, limit }: { order?: Order | undefined; limit: number },
  ): Promise<{ items: readonly (TensorItem | ModelItem)[]; total: number }> {
    const wanted = await this.#itemFilter(filter);
    if (what === 'models')
      return this.#options.models.list({ ...wanted, ...(order && { order }) }, { offset: 0, limit });
    if (!filter.figures) {
      const found = await this.#options.tensors.list(
        { ...wanted, ...(order && { order }) },
        { offset: 0, limit: limit + (isBySize(order) ? MAX_TIES : 0) },
      );
      return { total: found.total, items: isBySize(order) ? withTies(found.items, limit) : found.items };
    }
    const items = await this.#readable({ ...wanted, ...(order && { order }) });
    const fitting: TensorItem[] = [];
    for (const item of items) if (await this.#hasFigures({ item }, filter)) fitting.push(item);
    return {
      items: isBySize(order) ? withTies(fitting, limit) : fitting.slice(0, limit),
      total: fitting.length,
    };
  }

  /** Tensors with one figure of their values, the largest or the smallest first. Those that lack it are left out. */
  async ranked(filter: Filter, figure: Figure | 'bytes', first: 'largest' | 'smallest'): Promise<Ranked[]> {
    const found: Ranked[] = [];
    const wanted = await this.#itemFilter(filter);
    const isSize = figure === 'bytes';
    const items = isSize && !filter.figures ? await this.#listed(wanted) : await this.#readable(wanted);
    for (const item of items) {
      const figures = isSize ? undefined : await this.#options.figures({ item }, [figure]);
      const value = figures ? figures[figure as Figure] : bytesOf(item.values.dtype, item.values.shape);
      const isPartial = (figures?.infinities ?? 0) > 0;
      if (value !== null && (await this.#hasFigures({ item }, filter))) found.push({ item, value, isPartial });
    }
    return found.sort((a, b) => (first === 'largest' ? b.value - a.value : a.value - b.value));
  }

  async #listed(wanted: ItemFilter): Promise<readonly TensorItem[]> {
    const { items, total } = await this.#options.tensors.list(wanted, { offset: 0, limit: MAX_SEARCHED });
    if (total > items.length) throw promptNotRead(`${total} tensors would have to be sorted; narrow the search.`);
    return items;
  }

  /** All tensors that a filter finds, if their values are not too much to read. */
  async #readable(wanted: ItemFilter): Promise<readonly TensorItem[]> {
    const { items, total } = await this.#options.tensors.list(wanted, { offset: 0, limit: MAX_SEARCHED });
    const bytes = items.reduce((sum, { values }) => sum + bytesOf(values.dtype, values.shape), 0);
    if (total > items.length || bytes > MAX_READ_BYTES)
      throw promptNotRead(
        `the values of ${total} tensors would have to be read, ${bytes} bytes; narrow the search by name, dtype or tag.`,
      );
    return items;
  }

  /** Whether one tensor meets the filter. */
  async meets(part: Part, filter: Filter): Promise<boolean> {
    const { matches, ...wanted } = await this.#itemFilter(filter);
    const { items } = await this.#options.tensors.list(
      { ...wanted, matches: (item) => item.uuid === part.item.uuid && (matches?.(item) ?? true) },
      { offset: 0, limit: 1 },
    );
    return items.length > 0 && (await this.#hasFigures(part, filter));
  }

  async #hasFigures(part: Part, { figures = [] }: Filter): Promise<boolean> {
    if (figures.length === 0) return true;
    const found = await this.#options.figures(
      part,
      figures.map(({ figure }) => figure),
    );
    return figures.every(
      ({ figure, range, every }) =>
        found[figure] !== null &&
        isIn(found[figure]!, range) &&
        (!every || (found.count > 0 && found[figure] === found.count)),
    );
  }

  /** Of all tensors and models that meet a filter. */
  async #uuidsOf(filter: Filter): Promise<readonly string[]> {
    const uuids: string[] = [];
    for (const what of ['tensors', 'models'] as const) {
      const isOfBoth = Object.keys(filter).every((key) => COMMON_FIELDS.has(key));
      if (!isOfBoth && Object.keys(filter).some((key) => MODEL_FIELDS.has(key)) !== (what === 'models')) continue;
      const { items, total } = await this.select(what, filter, { limit: MAX_SEARCHED });
      if (total > items.length) throw promptNotRead(`${total} ${what} would have to be left out; narrow the search.`);
      uuids.push(...items.map(({ uuid }) => uuid));
    }
    return uuids;
  }

  async #itemFilter(filter: Filter): Promise<ItemFilter> {
    const { dtypes, shape, nameContains, text, words, tag } = filter;
    const from = filter.madeFrom === undefined ? undefined : await this.#options.find(filter.madeFrom, 'tensor');
    const by = filter.madeBy === undefined ? undefined : await this.#options.find(filter.madeBy, 'model');
    // A name leaves out all of its versions, a uuid or name@N one of them.
    const left = new Set(filter.except);
    for (const name of filter.except ?? [])
      for (const kind of ['tensor', 'model'] as const) {
        const found = await this.#options.find(name, kind);
        if (found) left.add(found.uuid);
      }
    for (const each of filter.unless ?? []) for (const uuid of await this.#uuidsOf(each)) left.add(uuid);
    const chosen = filter.anyOf && new Set((await Promise.all(filter.anyOf.map((each) => this.#uuidsOf(each)))).flat());
    const given = {
      dtypes,
      shape,
      nameContains,
      tag,
      createdAfter: dateOf(filter.createdAfter),
      createdBefore: dateOf(filter.createdBefore),
    };
    const matches = (item: TensorItem | ModelItem): boolean => {
      if (left.has(item.uuid) || left.has(item.name) || chosen?.has(item.uuid) === false) return false;
      if (
        text !== undefined &&
        !text
          .toLowerCase()
          .split(/\s+/)
          .every((word) => textOf(item).includes(word))
      )
        return false;
      if (words && !hasWords(textOf(item), words.flatMap(wordsIn))) return false;
      const name = item.name.toLowerCase();
      if (filter.nameStarts && !name.startsWith(filter.nameStarts.toLowerCase())) return false;
      if (filter.nameEnds && !name.endsWith(filter.nameEnds.toLowerCase())) return false;
      return 'values' in item ? fitsTensor(item, filter, from?.uuid, by?.uuid) : fitsModel(item, filter);
    };
    return {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      matches,
      caseSensitive: false,
    };
  }
}

function isBySize(order: Order | undefined): boolean {
  return order === 'largest' || order === 'smallest';
}

function withTies(items: readonly TensorItem[], limit: number): readonly TensorItem[] {
  const last = items[limit - 1];
  if (!last) return items;
  const count = countOf(last.values.shape);
  return items.filter(({ values }, i) => i < limit || countOf(values.shape) === count);
}

function fitsTensor(
  { values, tags, lineage }: TensorItem,
  filter: Filter,
  from: string | undefined,
  by: string | undefined,
): boolean {
  const { shape, dtype } = values;
  if (filter.isSquare !== undefined && (shape.length === 2 && shape[0] === shape[1]) !== filter.isSquare) return false;
  if (filter.ndim && !isIn(shape.length, filter.ndim)) return false;
  if (filter.elements && !isIn(countOf(shape), filter.elements)) return false;
  if (filter.bytes && !isIn(bytesOf(dtype, shape), filter.bytes)) return false;
  if (filter.anyTag && !filter.anyTag.some((tag) => tags.includes(tag))) return false;
  if (filter.allTags && !filter.allTags.every((tag) => tags.includes(tag))) return false;
  if (filter.isTagged !== undefined && tags.length > 0 !== filter.isTagged) return false;
  if (filter.madeBy !== undefined && lineage?.modelUuid !== by) return false;
  return filter.madeFrom === undefined || (from !== undefined && Object.values(lineage?.inputs ?? {}).includes(from));
}

function fitsModel({ code, weights, language, onnx }: ModelItem, filter: Filter): boolean {
  if (filter.hasCode !== undefined && ((code ?? onnx) !== undefined) !== filter.hasCode) return false;
  if (filter.hasWeights !== undefined && ((weights ?? onnx) !== undefined) !== filter.hasWeights) return false;
  if (filter.codeContains && !code?.toLowerCase().includes(filter.codeContains.toLowerCase())) return false;
  return filter.language === undefined || (code !== undefined && language === filter.language);
}

/** Name, description and tags in small letters. */
export function textOf(item: TensorItem | ModelItem): string {
  return `${item.name}\n${item.description}\n${'tags' in item ? item.tags.join('\n') : ''}`.toLowerCase();
}

function dateOf(given: string | undefined): string | undefined {
  const date = given === undefined ? undefined : parseDate(given);
  if (given !== undefined && date === undefined)
    throw promptNotRead(`'${given}' is not a date; give one such as 2024-01-31.`);
  return date;
}
