import { bytesOf, DTYPES, isComputed, MAX_DIMENSIONS } from '@atoll-mcp/formats/dtypes';
import type { Tensor } from './interface.ts';

/** What is wrong with a tensor, or nothing. Nothing about it is trusted: it can come from untrusted code. */
export function tensorProblem({ dtype, shape, data }: { [key in keyof Tensor]: unknown }): string | undefined {
  if (!isComputed(dtype)) return `dtype must be one of ${DTYPES.join(', ')}`;
  if (!Array.isArray(shape) || shape.length > MAX_DIMENSIONS) return `shape must list at most ${MAX_DIMENSIONS} sizes`;
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) return 'shape must hold whole numbers from 0 up';
  if (!(data instanceof Uint8Array)) return 'data must be bytes';
  const bytes = bytesOf(dtype, shape);
  if (bytes !== data.byteLength) return `${dtype} of shape [${shape}] needs ${bytes} bytes, not ${data.byteLength}`;
  return undefined;
}
