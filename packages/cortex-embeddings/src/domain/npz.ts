import type { Tensor } from '@atoll-mcp/formats/dtypes';
import { parseNpy } from '@atoll-mcp/formats/npy';
import { inMemory, unzip, zipEntries } from '@atoll-mcp/formats/zip';

/** Reads the arrays of an `.npz` file, each when it is asked for. */
export function readNpz(file: Buffer): (name: string) => Tensor {
  const zip = inMemory(file);
  const entries = new Map(zipEntries(zip).map((entry) => [entry.name, entry]));
  return (name) => {
    const entry = entries.get(`${name}.npy`);
    if (!entry) throw new Error(`The file holds no array "${name}"`);
    return parseNpy(unzip(zip, entry, entry.expandedBytes));
  };
}

/** The values of an array of float32, wherever its bytes lie. */
export function floatsOf({ dtype, data }: Tensor): Float32Array<ArrayBuffer> {
  if (dtype !== 'float32') throw new Error(`The array is of ${dtype}, not of float32`);
  return new Float32Array(Uint8Array.from(data).buffer);
}
