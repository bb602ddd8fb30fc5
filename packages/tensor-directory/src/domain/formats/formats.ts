import { FormatError } from '@atoll-mcp/formats/format-error';
import { parseNpy } from '@atoll-mcp/formats/npy';
import { safetensorsEntries } from '@atoll-mcp/formats/safetensors';
import { csv } from './csv.ts';
import { collectTensors, LIBRARY_FORMATS, type LibraryFormat, type TensorFormat } from './format.ts';
import { mat } from './mat.ts';
import { npz } from './npz.ts';
import { onnxInitializers } from './onnx-initializers.ts';
import { png } from './png.ts';
import { torch } from './torch.ts';

const npy: TensorFormat = {
  extensions: ['.npy'],
  isPlain: true,
  read: (bytes) => ({ tensors: [{ tensor: parseNpy(bytes, { complexAsPairs: true }) }] }),
};
const safetensors: TensorFormat = {
  extensions: ['.safetensors'],
  isPlain: true,
  read: (bytes) => collectTensors(safetensorsEntries(bytes), 'it holds no tensors'),
};
const FORMATS: readonly TensorFormat[] = [npy, npz, safetensors, csv, torch, onnxInitializers, mat, png];

const LIBRARY = Object.entries(LIBRARY_FORMATS) as [LibraryFormat, readonly string[]][];

/** The format of a file by the end of its name. Throws `FormatError`. */
export function formatOf(extension: string): TensorFormat | LibraryFormat {
  const isIn = (extensions: readonly string[]) => extensions.includes(extension.toLowerCase());
  const format = FORMATS.find(({ extensions }) => isIn(extensions)) ?? LIBRARY.find(([, names]) => isIn(names))?.[0];
  if (format) return format;
  const known = [...FORMATS.map(({ extensions }) => extensions), ...LIBRARY.map(([, extensions]) => extensions)].flat();
  throw new FormatError(`only ${known.slice(0, -1).join(', ')} and ${known.at(-1)} files can be imported`);
}
