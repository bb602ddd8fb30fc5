import { bytesOf, shapeText } from '@atoll-mcp/formats/dtypes';
import type { Backends, ModelItem, TensorItem } from '../backends/interface.ts';
import type { Figure, Filter, Order, Range } from '../domain/filter.ts';
import type { TensorRef } from '../domain/plan.ts';
import { toDoubles } from '../domain/values/elements.ts';
import { countIn, distanceOf, extremeOf, placesOf } from '../domain/values/scan.ts';
import { pickedShape } from '../domain/values/slice.ts';
import { describe, medianOf } from '../domain/values/statistics.ts';
import { inputNotFound, invalidInputs, notFound, promptNotRead } from '../errors.ts';
import { ItemSelection } from './item-selection.ts';
import type { ModelRunner } from './model-runner.ts';
import type { Models } from './models.ts';
import type { Outcome } from './requests/kind.ts';
import type { Run } from './requests/run/run.ts';
import type { TensorReader } from './tensor-reader.ts';
import type { Tensors } from './tensors.ts';

/** What a caller may add to a prompt in a form that needs no reading. */
export interface QueryParams {
  readonly inputs?: Readonly<Record<string, string>> | readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly outputName?: string | undefined;
}

/** A tensor, or a slice of it. */
export interface Part {
  readonly item: TensorItem;
  readonly slice?: string | undefined;
  /** As it was named, where that tells which version. */
  readonly said?: string | undefined;
  /** Whether it was left open from where rows are counted. */
  readonly fromZero?: boolean | undefined;
}

/** Figures of values; those of no finite values are `null`. */
export interface ValueFigures
  extends Record<Exclude<Figure, 'min' | 'max' | 'mean' | 'median' | 'std' | 'sum'>, number> {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  /** Read only if it is asked for, because all values must be sorted. */
  readonly median: number | null;
  readonly std: number | null;
  readonly sum: number | null;
}

export interface PlanParts {
  readonly backends: Backends;
  readonly tensors: Tensors;
  readonly models: Models;
  readonly reader: TensorReader;
  readonly runner: ModelRunner;
}

/** A search that would read more than this is refused. */
export const MAX_READ_BYTES = 256 * 2 ** 20;
const MAX_RUNS = 100;
const EXAMPLES = 20;

/** What the steps of one plan know: the directory, and what the steps before them found and made. */
export class PlanContext {
  readonly maxRuns = MAX_RUNS;
  readonly outcomes: Outcome[] = [];
  readonly #parts: PlanParts;
  readonly #params: QueryParams;
  readonly #selection: ItemSelection;
  readonly #signal: AbortSignal | undefined;
  /** Names that steps of this plan will give; they come before those of the directory. */
  readonly #planned = new Set<string>();
  readonly #made = new Map<string, TensorItem>();
  /** What has been done of the step under way, in case the rest of it fails. */
  readonly #done: string[] = [];

  constructor(parts: PlanParts, params: QueryParams, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#params = params;
    this.#signal = signal;
    const { tensors, models } = parts;
    this.#selection = new ItemSelection({
      tensors,
      models,
      find: (name, kind) => this.find(name, kind),
      isThere: (name) => this.isThere(name),
      figures: (part, wanted) => this.figures(part, wanted),
    });
  }

  get examples(): number {
    return this.#params.limit ?? EXAMPLES;
  }

  /** Inputs and output name that were given beside the prompt replace those in it. */
  withParams(step: Run): Run {
    const { inputs, outputName } = this.#params;
    const given = Array.isArray(inputs)
      ? (inputs as string[]).map((name) => ({ tensor: { name } }))
      : Object.entries(inputs ?? {}).map(([key, name]) => ({ tensor: { name: name as string }, key }));
    return { ...step, ...(inputs && { inputs: given }), ...(outputName && { outputs: [outputName] }) };
  }

  plan(names: readonly string[]): void {
    for (const name of names) this.#planned.add(name);
  }

  /** Sentences of the step under way, in case the rest of it fails. */
  progress(lines: readonly string[]): void {
    this.#done.splice(0, this.#done.length, ...lines);
  }

  finish(outcome: Outcome, names: readonly string[]): void {
    this.outcomes.push(outcome);
    this.#done.length = 0;
    for (const [i, name] of names.entries()) if (outcome.tensors[i]) this.#made.set(name, outcome.tensors[i]);
  }

  /** Sentences of what is done so far. */
  get done(): string[] {
    return [...this.outcomes.map(({ sentence }) => sentence).filter(Boolean), ...this.#done];
  }

  async isThere(name: string): Promise<boolean> {
    return this.#planned.has(name) || (await this.#parts.tensors.find(name)) !== undefined;
  }

  async find(name: string, kind: 'tensor' | 'model' | 'any'): Promise<TensorItem | ModelItem | undefined> {
    const tensor = kind === 'model' ? undefined : (this.#made.get(name) ?? (await this.#parts.tensors.find(name)));
    return tensor ?? (kind === 'tensor' ? undefined : this.#parts.models.find(name));
  }

  async model(name: string): Promise<ModelItem> {
    const found = await this.#parts.models.find(name);
    if (!found) throw notFound('model', name);
    return found;
  }

  /** A sentence about the first tensor that is not there, or whose slice does not fit. */
  async checkRefs(refs: readonly TensorRef[]): Promise<string | undefined> {
    for (const ref of refs) {
      if (!('name' in ref) || this.#planned.has(ref.name)) continue;
      const item = await this.#parts.tensors.find(ref.name);
      if (!item) return `Tensor '${ref.name}' not found.`;
      this.#parts.reader.picks(item, this.#sliceOf(ref, item));
    }
    return undefined;
  }

  /** The tensors that a reference means. */
  async resolve(ref: TensorRef): Promise<Part[]> {
    if ('step' in ref) {
      const tensors = this.outcomes[ref.step - 1]?.tensors ?? [];
      if (tensors.length === 0) throw invalidInputs(`Step ${ref.step} found or made no tensor to go on with.`);
      if (ref.one && tensors.length > 1)
        throw invalidInputs(`Step ${ref.step} found or made ${tensors.length} tensors; name the one that is meant.`);
      for (const item of tensors) this.#parts.reader.picks(item, ref.slice);
      return tensors.map((item) => ({ item, slice: ref.slice }));
    }
    const item = this.#made.get(ref.name) ?? (await this.#parts.tensors.find(ref.name));
    if (!item) throw inputNotFound(ref.name);
    return [
      {
        item,
        slice: this.#sliceOf(ref, item),
        ...(ref.name.includes('@') && { said: ref.name }),
        fromZero: ref.fromZero,
      },
    ];
  }

  async one(ref: TensorRef): Promise<Part> {
    const [part, ...more] = await this.resolve(ref);
    if (!part || more.length > 0) throw invalidInputs('One tensor is needed here; name the one that is meant.');
    return part;
  }

  titleOf({ item, slice, said, fromZero }: Part): string {
    const note = fromZero ? ' (counted from 0)' : '';
    return `Tensor '${said ?? item.name}'${slice === undefined ? '' : `[${slice}]`}${note}`;
  }

  shapeOf({ item, slice }: Part): readonly number[] {
    return pickedShape(this.#parts.reader.picks(item, slice));
  }

  values({ item, slice }: Part, maxValues: number) {
    return this.#parts.reader.values(item, slice, maxValues);
  }

  versions(name: string) {
    return this.#parts.tensors.versions(name);
  }

  async figures(part: Part, wanted: readonly Figure[]): Promise<ValueFigures> {
    const { statistics } = await describe(await this.#pieces(part), 1);
    const { count, min, max, mean, std, sum } = statistics;
    const counts = {
      negatives: statistics.negativeCount,
      positives: statistics.positiveCount,
      zeros: statistics.zeroCount,
      nans: statistics.nanCount,
      infinities: statistics.infCount,
      trues: statistics.positiveCount,
      falses: statistics.zeroCount,
      nonzeros: count - statistics.zeroCount,
    };
    if (part.item.values.dtype !== 'bool' && wanted.some((each) => each === 'trues' || each === 'falses'))
      throw invalidInputs(
        `Tensor '${part.item.name}' has dtype ${part.item.values.dtype}; only bool tensors hold true and false.`,
      );
    const median = wanted.includes('median') ? medianOf(await this.#doubles(part)) : null;
    return { count, min, max, mean, median, std, sum, ...counts };
  }

  /** How many values are in the range, and how many there are. */
  async countIn(part: Part, range: Range) {
    return countIn((await this.#pieces(part))(), range);
  }

  async placesOf(part: Part, value: number) {
    // What was uploaded as 0.1 is the nearest float32 there.
    const wanted = part.item.values.dtype === 'float32' ? Math.fround(value) : value;
    return placesOf((await this.#pieces(part))(), wanted);
  }

  async extreme(part: Part, which: 'min' | 'max') {
    return extremeOf((await this.#pieces(part))(), which);
  }

  async difference(a: Part, b: Part) {
    return distanceOf(await this.#doubles(a), await this.#doubles(b));
  }

  /** The values of both, at once in memory. */
  async doublesOf(a: Part, b: Part): Promise<[Float64Array, Float64Array]> {
    return [await this.#doubles(a), await this.#doubles(b)];
  }

  async run(
    model: ModelItem,
    inputs: Readonly<Record<string, Part>>,
    outputName: string | undefined,
  ): Promise<readonly TensorItem[]> {
    const { outputs } = await this.#parts.runner.runItem(model, inputs, { outputName, signal: this.#signal });
    return outputs;
  }

  checkFilter(what: 'tensors' | 'models', filter: Filter, order: Order | undefined): Promise<string | undefined> {
    return this.#selection.check(what, filter, order);
  }

  select(what: 'tensors' | 'models', filter: Filter, page: { order?: Order | undefined; limit: number }) {
    return this.#selection.select(what, filter, page);
  }

  ranked(filter: Filter, figure: Figure | 'bytes', first: 'largest' | 'smallest') {
    return this.#selection.ranked(filter, figure, first);
  }

  meets(part: Part, filter: Filter): Promise<boolean> {
    return this.#selection.meets(part, filter);
  }

  #sliceOf(ref: Extract<TensorRef, { name: string }>, item: TensorItem): string | undefined {
    const { first, last, nth, row, column } = ref;
    if (row !== undefined || column !== undefined) {
      if (item.values.shape.length !== 2)
        throw invalidInputs(
          `Tensor '${item.name}' has the shape ${shapeText(item.values.shape)}, so it has no rows and columns; say which part is meant by a slice.`,
        );
      return column === undefined ? String(row) : `${row ?? ':'}, ${column}`;
    }
    if (first === undefined && last === undefined && nth === undefined) return ref.slice;
    if (item.values.shape.length !== 1)
      throw invalidInputs(
        `Tensor '${item.name}' has the shape ${shapeText(item.values.shape)}; say which part is meant by a slice, such as ${item.name}[0, :].`,
      );
    if (nth !== undefined) return String(nth - 1);
    return first === undefined ? `-${last}:` : `0:${first}`;
  }

  /** All values once in memory where a slice is meant, piece by piece otherwise. */
  async #pieces(part: Part): Promise<() => AsyncIterable<Float64Array> | Iterable<Float64Array>> {
    if (part.slice === undefined) return () => this.#parts.reader.doubles(part.item);
    const doubles = await this.#doubles(part);
    return () => [doubles];
  }

  async #doubles({ item, slice }: Part): Promise<Float64Array> {
    const picks = this.#parts.reader.picks(item, slice);
    if (bytesOf(item.values.dtype, pickedShape(picks)) > MAX_READ_BYTES)
      throw promptNotRead(`tensor '${item.name}' is too large to be compared here; give a slice of it.`);
    const { dtype, data } = await this.#parts.reader.part(item, picks);
    return toDoubles(dtype, data);
  }
}
