import { countOf, type Dtype, FACTS, type Tensor } from '@atoll-mcp/formats/dtypes';
import { decoderOf } from '@atoll-mcp/formats/narrow-floats';
import { type Elements, elementsOf } from './elements.ts';

/** A value as JSON can carry it: what JSON has no sign for is text. */
type JsonValue = number | boolean | string;

/** Nested like the list that was uploaded; a scalar is the value itself. */
export function nestedValues({ dtype, shape, data }: Tensor): unknown {
  const elements = elementsOf(dtype, data);
  const read = readerOf(dtype, elements);
  let next = 0;
  const level = (depth: number): unknown => {
    if (depth === shape.length) return read(next++);
    const size = shape[depth]!;
    const list = new Array<unknown>(size);
    for (let i = 0; i < size; i++) list[i] = level(depth + 1);
    return list;
  };
  // A shape such as (1000000, 0) holds nothing, however many lists it would take to say so.
  if (shape.length > 0 && countOf(shape) === 0) return emptyNest(shape);
  return level(0);
}

/** How many lists, each inside another, it takes to write a tensor of this shape. */
export function innerListsOf(shape: readonly number[]): number {
  let level = 1;
  let lists = 0;
  for (const size of shape.slice(0, -1)) {
    level *= size;
    lists += level;
  }
  return lists;
}

/** Why some values are text, for whoever reads the answer; `undefined` when none is. */
export function noteOn({ dtype, data }: Tensor): string | undefined {
  const elements = elementsOf(dtype, data);
  if (elements instanceof BigInt64Array || elements instanceof BigUint64Array) {
    return elements.some((value: bigint) => !isSafe(value))
      ? 'Integers beyond 2^53 are given as text, since JSON numbers would round them'
      : undefined;
  }
  if (FACTS[dtype].kind !== 'float') return undefined;
  const read = readerOf(dtype, elements);
  for (let i = 0; i < elements.length; i++) {
    if (typeof read(i) === 'string') return 'NaN and infinities are given as text, since JSON has no numbers for them';
  }
  return undefined;
}

export function jsonNumber(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function readerOf(dtype: Dtype, elements: Elements): (index: number) => JsonValue {
  if (dtype === 'bool') return (i) => elements[i] !== 0;
  const decode = decoderOf(dtype);
  if (decode) return (i) => jsonNumber(decode(elements[i] as number));
  if (elements instanceof BigInt64Array || elements instanceof BigUint64Array) {
    return (i) => (isSafe(elements[i]!) ? Number(elements[i]) : String(elements[i]));
  }
  if (dtype === 'float32' || dtype === 'float64') return (i) => jsonNumber(elements[i] as number);
  return (i) => elements[i] as number;
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
}

function emptyNest(shape: readonly number[]): unknown[] {
  const [size, ...inner] = shape;
  if (inner.length === 0 || size === 0) return [];
  return Array.from({ length: size! }, () => emptyNest(inner));
}
