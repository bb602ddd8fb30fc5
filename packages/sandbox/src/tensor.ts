import { DTYPES, type Dtype, type Tensor } from './interface.ts';

export const ITEM_BYTES: Readonly<Record<Dtype, number>> = {
  bool: 1,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  uint8: 1,
  uint16: 2,
  uint32: 4,
  uint64: 8,
  float16: 2,
  float32: 4,
  float64: 8,
};
const MAX_DIMENSIONS = 32;

export function isDtype(name: unknown): name is Dtype {
  return DTYPES.includes(name as Dtype);
}

/** What is wrong with a tensor, or nothing. Everything about it may be a lie: it can come from untrusted code. */
export function tensorProblem({ dtype, shape, data }: { [key in keyof Tensor]: unknown }): string | undefined {
  if (!isDtype(dtype)) return `dtype must be one of ${DTYPES.join(', ')}`;
  if (!Array.isArray(shape) || shape.length > MAX_DIMENSIONS) return `shape must list at most ${MAX_DIMENSIONS} sizes`;
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) return 'shape must hold whole numbers from 0 up';
  if (!(data instanceof Uint8Array)) return 'data must be bytes';
  const bytes = shape.reduce((product: number, size: number) => product * size, ITEM_BYTES[dtype]);
  if (bytes !== data.byteLength) return `${dtype} of shape [${shape}] needs ${bytes} bytes, not ${data.byteLength}`;
  return undefined;
}
