import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError, UnstorableError } from '@atoll-mcp/formats/format-error';
import { parseNpy } from '@atoll-mcp/formats/npy';
import { inMemory, unzip, zipEntries } from '@atoll-mcp/formats/zip';
import { collectTensors, type FoundTensors, type TensorFormat } from './format.ts';

const MAX_ARRAYS = 100_000;

const NPY = '.npy';

/** NumPy's archives are plain zip files of `.npy` files, stored or deflated. */
export function parseNpz(file: Uint8Array, maxBytes: number): FoundTensors {
  const zip = inMemory(file);
  let left = maxBytes;
  const arrays = zipEntries(zip, { maxEntries: MAX_ARRAYS })
    .filter(({ name }) => name.endsWith(NPY))
    .map((entry) => {
      const key = entry.name.slice(0, -NPY.length);
      const read = () => {
        const content = unzip(zip, entry, left);
        left -= content.byteLength;
        return named(key, () => parseNpy(content, { complexAsPairs: true }));
      };
      return { key, read };
    });
  return collectTensors(arrays, 'it holds no arrays');
}

function named(key: string, read: () => Tensor): Tensor {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const message = `${JSON.stringify(key.slice(0, 200))}: ${error.message}`;
    throw error instanceof UnstorableError
      ? new UnstorableError(error.holds, message)
      : new FormatError(message, { cause: error });
  }
}

export const npz: TensorFormat = {
  extensions: ['.npz'],
  read: (bytes, { maxBytes }) => parseNpz(bytes, maxBytes),
};
