import { csv } from './csv.ts';
import { FileFault } from './file-fault.ts';
import type { TensorFormat } from './format.ts';
import { mat } from './mat.ts';
import { npy } from './npy.ts';
import { npz } from './npz.ts';
import { onnxInitializers } from './onnx-initializers.ts';
import { png } from './png.ts';
import { safetensors } from './safetensors.ts';
import { torch } from './torch.ts';

const FORMATS: readonly TensorFormat[] = [npy, npz, safetensors, csv, torch, onnxInitializers, mat, png];

/** The format of a file by the end of its name. Throws `FileFault`. */
export function formatOf(extension: string): TensorFormat {
  const format = FORMATS.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
  if (format) return format;
  const known = FORMATS.flatMap(({ extensions }) => extensions);
  throw new FileFault(`only ${known.slice(0, -1).join(', ')} and ${known.at(-1)} files can be imported`);
}
