import { bytesOf, shapeText } from '@atoll-mcp/formats/dtypes';
import type { Backends, TensorItem, ValuesFile } from '../backends/interface.ts';
import { Difference, type DifferenceFigures } from '../domain/compare/difference.ts';
import { drawDifferences } from '../domain/plot/plot-differences.ts';
import { numberText } from '../domain/plot/ticks.ts';
import type { Elements } from '../domain/values/elements.ts';
import { labelOf, type TensorReader } from './tensor-reader.ts';

/** Smaller tensors are compared faster here than a thread starts. */
const SMALL_BYTES = 4 << 20;

export interface Comparison {
  readonly a: TensorItem;
  readonly b: TensorItem;
  readonly isEqual: boolean;
  /** Absent if the shapes differ. */
  readonly figures?: DifferenceFigures;
  readonly png?: Buffer;
  readonly sentence: string;
}

/** Compares tensors value by value, as streams. */
export class TensorComparer {
  readonly #backends: Backends;
  readonly #reader: TensorReader;

  constructor(backends: Backends, reader: TensorReader) {
    this.#backends = backends;
    this.#reader = reader;
  }

  get atOnce(): number {
    return this.#backends.comparer.atOnce;
  }

  async compare(a: TensorItem, b: TensorItem, tolerance: number, signal?: AbortSignal): Promise<Comparison> {
    const figures = hasSameShape(a, b) ? await this.figures(a, b, tolerance, signal) : undefined;
    const isEqual = figures?.beyond === 0;
    const sentence = sentenceOn(a, b, tolerance, figures);
    if (!figures || figures.differing === 0) return { a, b, isEqual, ...(figures && { figures }), sentence };
    const png = drawDifferences({
      title: namesOf(a, b).join(' → '),
      subtitle: subtitleOf(a, figures),
      sizes: figures.sizes,
      equal: figures.count - figures.differing,
    });
    return { a, b, isEqual, figures, png, sentence };
  }

  /** The tensors have the same shape. */
  async figures(a: TensorItem, b: TensorItem, tolerance: number, signal?: AbortSignal): Promise<DifferenceFigures> {
    const files = sizeOf(a) + sizeOf(b) < SMALL_BYTES ? undefined : await this.#files(a, b);
    if (files) return this.#backends.comparer.compare({ ...files, tolerance }, signal);
    const difference = new Difference(tolerance);
    for await (const [left, right] of together(this.#reader.elements(a), this.#reader.elements(b))) {
      signal?.throwIfAborted();
      difference.add(left, right);
    }
    return difference.figures();
  }

  /** Both as local files, if they are local. */
  async #files(a: TensorItem, b: TensorItem): Promise<{ a: ValuesFile; b: ValuesFile } | undefined> {
    const { values } = this.#backends;
    const [left, right] = [await values.locate(a.values, labelOf(a)), await values.locate(b.values, labelOf(b))];
    if (left === undefined || right === undefined) return undefined;
    return {
      a: { ...a.values, path: left, label: labelOf(a) },
      b: { ...b.values, path: right, label: labelOf(b) },
    };
  }
}

const sizeOf = ({ values }: TensorItem) => bytesOf(values.dtype, values.shape);

export function hasSameShape(a: TensorItem, b: TensorItem): boolean {
  return shapeText(a.values.shape) === shapeText(b.values.shape);
}

/** Aligns two streams of equally many elements into chunks of the same length. */
async function* together(
  a: AsyncGenerator<Elements>,
  b: AsyncGenerator<Elements>,
): AsyncGenerator<readonly [Elements, Elements]> {
  try {
    let left: Elements | undefined;
    let right: Elements | undefined;
    for (;;) {
      const [first, second] = await Promise.all([
        left?.length ? { value: left } : a.next(),
        right?.length ? { value: right } : b.next(),
      ]);
      left = first.value as Elements | undefined;
      right = second.value as Elements | undefined;
      if (!left || !right) return;
      const length = Math.min(left.length, right.length);
      yield [left.subarray(0, length), right.subarray(0, length)];
      left = left.subarray(length);
      right = right.subarray(length);
    }
  } finally {
    await Promise.all([a.return(undefined), b.return(undefined)]);
  }
}

/** Two versions of one name are told apart. */
function namesOf(a: TensorItem, b: TensorItem): [string, string] {
  return a.name === b.name && a.version !== b.version
    ? [`${a.name}@${a.version}`, `${b.name}@${b.version}`]
    : [a.name, b.name];
}

function sentenceOn(a: TensorItem, b: TensorItem, tolerance: number, figures: DifferenceFigures | undefined): string {
  const [nameA, nameB] = namesOf(a, b);
  const both = `Tensors '${nameA}' and '${nameB}'`;
  if (!figures)
    return `${both} have the shapes ${shapeText(a.values.shape)} and ${shapeText(b.values.shape)}, so their values were not compared.`;
  const dtypes =
    a.values.dtype === b.values.dtype ? '' : ` Their dtypes differ: ${a.values.dtype} and ${b.values.dtype}.`;
  if (figures.differing === 0) return `${both} hold the same ${figures.count} value(s).${dtypes}`;
  const within = tolerance > 0 ? `, ${figures.beyond} by more than ${tolerance}` : '';
  const most = figures.maxAbs === null ? '' : `; the largest difference is ${numberText(figures.maxAbs)}`;
  const odd = [
    ...(figures.newNan > 0 ? [`${figures.newNan} new NaN`] : []),
    ...(figures.newInf > 0 ? [`${figures.newInf} new infinite value(s)`] : []),
  ];
  const news = odd.length > 0 ? ` '${nameB}' has ${odd.join(' and ')}.` : '';
  return `${both} differ in ${figures.differing} of ${figures.count} value(s)${within}${most}.${news}${dtypes}`;
}

function subtitleOf({ values }: TensorItem, { meanAbs, cosine }: DifferenceFigures): string {
  const mean = meanAbs === null ? '' : ` · mean difference ${numberText(meanAbs)}`;
  const angle = cosine === null ? '' : ` · cosine ${cosine.toFixed(6)}`;
  return `${values.dtype} ${shapeText(values.shape)}${mean}${angle}`;
}
