import type { NamedTensor, Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError, UnstorableError } from '@atoll-mcp/formats/format-error';

export interface FoundTensors {
  readonly tensors: readonly NamedTensor[];
  /** What else is in the file and is not a tensor, as in `labels (char)`. */
  readonly skipped?: readonly string[];
}

/** The arrays of a file that tensors can hold; the others are named. Where there are only others, the first says why. */
export function collectTensors(
  arrays: Iterable<{ readonly key?: string; readonly read: () => Tensor }>,
  none: string,
): FoundTensors {
  const tensors: NamedTensor[] = [];
  const skipped: string[] = [];
  let fault: UnstorableError | undefined;
  for (const { key, read } of arrays) {
    try {
      tensors.push({ ...(key !== undefined && { key }), tensor: read() });
    } catch (error) {
      if (!(error instanceof UnstorableError)) throw error;
      fault ??= error;
      skipped.push(`${key?.slice(0, 500) ?? ''} (${error.holds})`);
    }
  }
  if (tensors.length === 0) throw fault ?? new FormatError(none);
  return { tensors, skipped };
}

/** A kind of file that tensors are read from. Each has a file of its own; `formats.ts` lists them. */
export interface TensorFormat {
  /** In small letters, with the dot. */
  readonly extensions: readonly string[];
  /** Nothing is unpacked or converted, so that reading it takes no more than the file. */
  readonly isPlain?: true;
  /** Text takes more room than the numbers it stands for, and is limited in its own way. */
  readonly isText?: true;
  /** Throws `FormatError`. `maxBytes` is for all values together. */
  read(bytes: Uint8Array, options: { readonly maxBytes: number }): FoundTensors;
}

/** Read by a library, and therefore in a process of its own. */
export const LIBRARY_FORMATS = {
  parquet: ['.parquet'],
  arrow: ['.arrow', '.feather'],
  hdf5: ['.h5', '.hdf5'],
  jpeg: ['.jpg', '.jpeg'],
  tiff: ['.tif', '.tiff'],
} as const;
export type LibraryFormat = keyof typeof LIBRARY_FORMATS;
