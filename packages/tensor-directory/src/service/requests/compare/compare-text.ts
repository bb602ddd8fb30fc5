import { bytesOf, countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import type { Part, PlanContext } from '../../plan-context.ts';
import { numberText, titleOfFigure } from '../measure/figures.ts';
import type { Compare } from './compare.ts';

const low = (part: Part, context: PlanContext) => context.titleOf(part).replace(/^T/, 't');
export const both = (a: Part, b: Part, context: PlanContext) => `${context.titleOf(a)} and ${low(b, context)}`;

export function aspectText(
  a: Part,
  b: Part,
  same: Exclude<Compare['same'], 'values' | undefined>,
  context: PlanContext,
): string {
  const read = (part: Part) => {
    const { dtype } = part.item.values;
    const shape = context.shapeOf(part);
    const elements = `${countOf(shape)} element(s)`;
    const bytes = `${bytesOf(dtype, shape)} byte(s)`;
    return {
      shape: `shape ${shapeText(shape)}`,
      dtype: `dtype ${dtype}`,
      elements,
      bytes,
      size: `${elements}, ${bytes}`,
    }[same];
  };
  return `${read(a) === read(b) ? 'Yes' : 'No'}: ${low(a, context)} has ${read(a)}, ${low(b, context)} has ${read(b)}.`;
}

export async function sameText(a: Part, b: Part, context: PlanContext): Promise<string> {
  const { isEqual, text } = await differenceText(a, b, context);
  return `${isEqual ? 'Yes' : 'No'}: ${low(a, context)} and ${low(b, context)}: ${text}.`;
}

export async function differenceText(
  a: Part,
  b: Part,
  context: PlanContext,
): Promise<{ isEqual: boolean; text: string }> {
  const [left, right] = [shapeText(context.shapeOf(a)), shapeText(context.shapeOf(b))];
  const [first, second] = [a.item.values.dtype, b.item.values.dtype];
  const shapes = left === right ? `same shape ${left}` : `shapes ${left} and ${right}`;
  const dtypes = first === second ? `same dtype ${first}` : `dtypes ${first} and ${second}`;
  if (left !== right)
    return { isEqual: false, text: `${shapes}, ${dtypes}; values of different shapes are not compared` };
  const { count, differing, largest, mean, signedMean, values } = await context.difference(a, b);
  if (differing === 0) return { isEqual: true, text: `${shapes}, ${dtypes}, all ${count} value(s) are equal` };
  const sizes =
    largest === null
      ? ''
      : `, largest absolute difference ${largest}, mean absolute difference ${mean}, mean of first minus second ${signedMean}`;
  const each = values ? `, first minus second ${JSON.stringify(values).replaceAll(',', ', ')}` : '';
  return { isEqual: false, text: `${shapes}, ${dtypes}, ${differing} of ${count} value(s) differ${sizes}${each}` };
}

/** Where neither has more values, larger may mean the values. */
async function sumsText(a: Part, b: Part, context: PlanContext): Promise<string> {
  const [x, y] = [(await context.figures(a, ['sum'])).sum, (await context.figures(b, ['sum'])).sum];
  return `their sums are ${numberText(x)} and ${numberText(y)}`;
}

export async function largerText(
  a: Part,
  b: Part,
  { larger, smaller, isFirst }: Compare,
  context: PlanContext,
): Promise<string> {
  const word = smaller ? 'smaller' : 'larger';
  if (larger === 'elements') {
    const [x, y] = [countOf(context.shapeOf(a)), countOf(context.shapeOf(b))];
    const holds = smaller ? x < y : x > y;
    if (x === y)
      return `${both(a, b, context)} are equally large: ${x} element(s) each; ${await sumsText(a, b, context)}.`;
    if (isFirst) return `${holds ? 'Yes' : 'No'}: ${low(a, context)} has ${x} element(s), ${low(b, context)} has ${y}.`;
    return `${context.titleOf(holds ? a : b)} is ${word}: ${holds ? x : y} element(s) against ${holds ? y : x}.`;
  }
  if (larger === 'date') {
    const [x, y] = [a.item.createdAt, b.item.createdAt];
    const holds = smaller ? x < y : x > y;
    const dates = `${low(a, context)} was stored on ${x}, ${low(b, context)} on ${y} (UTC)`;
    if (isFirst) return `${holds ? 'Yes' : 'No'}: ${dates}.`;
    return `${context.titleOf(holds ? a : b)} is ${smaller ? 'older' : 'newer'}: ${dates}.`;
  }
  const title = titleOfFigure(larger!);
  const [x, y] = [(await context.figures(a, [larger!]))[larger!], (await context.figures(b, [larger!]))[larger!]];
  if (x === null || y === null)
    return `${title} of ${low(a, context)}: ${numberText(x)}; of ${low(b, context)}: ${numberText(y)}.`;
  if (x === y) return `${both(a, b, context)} have the same ${title}: ${x}.`;
  const holds = smaller ? x < y : x > y;
  if (isFirst) return `${holds ? 'Yes' : 'No'}: ${low(a, context)} has ${title} ${x}, ${low(b, context)} has ${y}.`;
  return `${context.titleOf(holds ? a : b)} has the ${word} ${title}: ${holds ? x : y} against ${holds ? y : x}.`;
}
