import { FileFault } from './file-fault.ts';
import type { FoundTensor, TensorFormat } from './format.ts';
import { parseNpy } from './npy.ts';
import { unzip, zipEntries } from './zip.ts';

/** NumPy's archives are plain zip files of `.npy` files, stored or deflated. */
export function parseNpz(file: Uint8Array, maxBytes: number): FoundTensor[] {
  const zip = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const tensors: FoundTensor[] = [];
  let left = maxBytes;
  for (const entry of zipEntries(zip)) {
    if (!entry.name.endsWith('.npy')) continue;
    const content = unzip(zip, entry, left);
    left -= content.byteLength;
    tensors.push({ key: entry.name.slice(0, -'.npy'.length), tensor: parseNpy(content) });
  }
  if (tensors.length === 0) throw new FileFault('it holds no arrays');
  return tensors;
}

export const npz: TensorFormat = {
  extensions: ['.npz'],
  read: (bytes, { maxBytes }) => ({ tensors: parseNpz(bytes, maxBytes) }),
};
