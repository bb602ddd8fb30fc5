import { bytesOf } from '@atoll-mcp/formats/dtypes';
import type { TensorItem } from '../backends/interface.ts';
import type { DifferenceFigures } from '../domain/compare/difference.ts';
import { nameMatcher } from '../domain/compare/name-pattern.ts';
import { drawBars } from '../domain/plot/plot-bars.ts';
import { noSuchTensors } from '../errors.ts';
import { hasSameShape, type TensorComparer } from './tensor-comparer.ts';
import { type TensorSet, tensorSet } from './tensor-sets.ts';
import type { Tensors } from './tensors.ts';

export interface Change {
  readonly key: string;
  readonly a: TensorItem;
  readonly b: TensorItem;
  /** Absent where the shapes differ. */
  readonly figures?: DifferenceFigures;
}

export interface CheckpointComparison {
  readonly sizes: { readonly a: SetSize; readonly b: SetSize };
  readonly added: readonly TensorItem[];
  readonly removed: readonly TensorItem[];
  readonly renamed: readonly { readonly from: TensorItem; readonly to: TensorItem }[];
  readonly unchanged: number;
  /** The largest change first. */
  readonly changed: readonly Change[];
  readonly png?: Buffer;
  readonly sentence: string;
}

interface SetSize {
  readonly tensors: number;
  readonly bytes: number;
}

const BARS = 20;

/** Compares two sets of tensors. Reads only tensors whose hashes differ. */
export class CheckpointComparer {
  readonly #tensors: Tensors;
  readonly #comparer: TensorComparer;

  constructor(tensors: Tensors, comparer: TensorComparer) {
    this.#tensors = tensors;
    this.#comparer = comparer;
  }

  async compare(
    given: { a: string; b: string; pattern?: string | undefined },
    signal?: AbortSignal,
  ): Promise<CheckpointComparison> {
    const [a, b] = [await this.#set(given.a, given.pattern), await this.#set(given.b, given.pattern)];
    const pairs = [...a].flatMap(([key, left]) => (b.has(key) ? [{ key, a: left, b: b.get(key)! }] : []));
    const different = pairs.filter((pair) => pair.a.values.sha256 !== pair.b.values.sha256);
    const unchanged = pairs.length - different.length;
    const changes = await inOrder(different, this.#comparer.atOnce, async (pair): Promise<Change> => {
      if (!hasSameShape(pair.a, pair.b)) return pair;
      return { ...pair, figures: await this.#comparer.figures(pair.a, pair.b, 0, signal) };
    });
    const { renamed, added, removed } = moved(a, b);
    changes.sort((x, y) => weightOf(y) - weightOf(x) || (x.key < y.key ? -1 : 1));
    const sizes = { a: sizeOf(a), b: sizeOf(b) };
    const result = { sizes, added, removed, renamed, unchanged, changed: changes };
    return { ...result, ...picture(given, changes), sentence: sentenceOn(given, result) };
  }

  async #set(given: string, pattern: string | undefined): Promise<TensorSet> {
    const all = await tensorSet(this.#tensors, given);
    if (pattern === undefined) return all;
    const matches = nameMatcher(pattern);
    const kept: TensorSet = new Map([...all].filter(([key]) => matches(key) !== undefined));
    if (kept.size === 0) throw noSuchTensors(`${given}' with keys like '${pattern}`);
    return kept;
  }
}

/** Maps items with limited concurrency; stops at the first failure. */
async function inOrder<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let isStopped = false;
  const worker = async () => {
    for (const [i, item] of rest) {
      if (isStopped) return;
      results[i] = await work(item).catch((error: unknown) => {
        isStopped = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** Tensors on one side only; equal values under another key count as renamed. */
function moved(a: TensorSet, b: TensorSet) {
  const left = [...a].filter(([key]) => !b.has(key)).map(([, item]) => item);
  const right = [...b].filter(([key]) => !a.has(key)).map(([, item]) => item);
  const byHash = new Map<string, TensorItem[]>();
  for (const item of right) byHash.set(item.values.sha256, [...(byHash.get(item.values.sha256) ?? []), item]);
  const renamed: { from: TensorItem; to: TensorItem }[] = [];
  const removed: TensorItem[] = [];
  for (const from of left) {
    const to = byHash.get(from.values.sha256)?.shift();
    if (to) renamed.push({ from, to });
    else removed.push(from);
  }
  const taken = new Set(renamed.map(({ to }) => to));
  return { renamed, removed, added: right.filter((item) => !taken.has(item)) };
}

/** Sort key: changed shapes first, then new NaN and infinities, then the relative change. */
function weightOf({ figures }: Change): number {
  if (!figures) return Number.POSITIVE_INFINITY;
  if (figures.newNan + figures.newInf > 0) return Number.MAX_VALUE;
  return figures.relativeNorm ?? (figures.differing > 0 ? Number.MAX_VALUE / 2 : 0);
}

function picture(given: { a: string; b: string }, changes: readonly Change[]): { png?: Buffer } {
  const bars = changes
    .filter(({ figures }) => figures?.relativeNorm !== undefined && figures.relativeNorm !== null)
    .slice(0, BARS)
    .map(({ key, b, figures }) => ({ label: key || b.name, value: figures!.relativeNorm! }));
  if (bars.length === 0) return {};
  const subtitle = `relative change of the ${bars.length === 1 ? 'tensor' : `${bars.length} tensors`} that changed most`;
  return { png: drawBars({ title: `${given.a} → ${given.b}`, subtitle, bars }) };
}

function sizeOf(set: TensorSet): SetSize {
  const bytes = [...set.values()].reduce((sum, { values }) => sum + bytesOf(values.dtype, values.shape), 0);
  return { tensors: set.size, bytes };
}

function sentenceOn(
  given: { a: string; b: string },
  { changed, unchanged, added, removed, renamed }: Omit<CheckpointComparison, 'sentence'>,
): string {
  const first = changed[0] && (changed[0].key || changed[0].b.name);
  const most = first === undefined ? '' : ` The largest change is in '${first}'.`;
  const broken = changed.filter(({ figures }) => figures && figures.newNan + figures.newInf > 0).length;
  const odd = broken > 0 ? ` ${broken} tensor(s) have new NaN or infinite values.` : '';
  return `From '${given.a}' to '${given.b}': ${changed.length} changed, ${unchanged} unchanged, ${added.length} added, ${removed.length} removed, ${renamed.length} renamed.${most}${odd}`;
}
