import { basename, resolve } from 'node:path';
import type { TensorInput } from '../interface.ts';
import type { GrantedFiles } from './granted-files.ts';

type Tensors = Readonly<Record<string, TensorInput>>;

/** The files that a child shall open before its lockdown, one for each input. After it, a child can only be given copies. */
export function filesToOpen(tensors: Tensors, canOpen: (path: string) => boolean): string[] {
  const paths = Object.values(tensors).flatMap((tensor) => ('npy' in tensor ? [resolve(tensor.npy)] : []));
  return paths.filter(canOpen);
}

/** How each tensor gets in: as bytes, as a file that was opened, or as a copy that the session can read. */
export async function placeTensors(tensors: Tensors, opened: readonly string[], files: GrantedFiles) {
  const sources: Record<string, object> = {};
  const buffers: Uint8Array[] = [];
  const used = new Set<number>();
  for (const [name, tensor] of Object.entries(tensors)) {
    if (!('npy' in tensor)) {
      sources[name] = { buffer: buffers.push(tensor.data) - 1, dtype: tensor.dtype, shape: tensor.shape };
      continue;
    }
    const path = resolve(tensor.npy);
    // Each open file is read once, also when two inputs are the same tensor.
    const index = opened.findIndex((each, i) => each === path && !used.has(i));
    used.add(index);
    sources[name] = index >= 0 ? { opened: index } : { path: await files.share({ path, name: basename(path) }) };
  }
  return { sources, buffers };
}
