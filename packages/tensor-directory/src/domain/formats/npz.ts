import type { NamedTensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { parseNpy } from '@atoll-mcp/formats/npy';
import { inMemory, unzip, zipEntries } from '@atoll-mcp/formats/zip';
import type { TensorFormat } from './format.ts';

const MAX_ARRAYS = 100_000;

/** NumPy's archives are plain zip files of `.npy` files, stored or deflated. */
export function parseNpz(file: Uint8Array, maxBytes: number): NamedTensor[] {
  const zip = inMemory(file);
  const tensors: NamedTensor[] = [];
  let left = maxBytes;
  for (const entry of zipEntries(zip, { maxEntries: MAX_ARRAYS })) {
    if (!entry.name.endsWith('.npy')) continue;
    const content = unzip(zip, entry, left);
    left -= content.byteLength;
    tensors.push({ key: entry.name.slice(0, -'.npy'.length), tensor: parseNpy(content) });
  }
  if (tensors.length === 0) throw new FormatError('it holds no arrays');
  return tensors;
}

export const npz: TensorFormat = {
  extensions: ['.npz'],
  read: (bytes, { maxBytes }) => ({ tensors: parseNpz(bytes, maxBytes) }),
};
