import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { FoundFile, ModelFile } from './interface.ts';
import { filesBelow, isFolder } from './walk.ts';

const DEPTH = 7;
const SINGLE_FILES = new Set(['.gguf', '.ggml', '.onnx']);
const PARTS = new Set(['.safetensors', '.npz']);

/** The models below some folders: single files, folders of parts (MLX), and what Ollama's manifests name. */
export async function findModelFiles(folders: readonly string[]): Promise<ModelFile[]> {
  const found = new Map<string, ModelFile>();
  for (const folder of folders) {
    if (!(await isFolder(folder))) continue;
    const files = await filesBelow(folder, DEPTH);
    const models = [...single(files), ...inParts(files, folder), ...(await fromManifests(files, folder))];
    for (const model of models) found.set(model.path, model);
  }
  return [...found.values()].sort((a, b) => b.sizeBytes - a.sizeBytes);
}

function single(files: readonly FoundFile[]): ModelFile[] {
  return files
    .filter(({ path }) => SINGLE_FILES.has(extname(path).toLowerCase()))
    .map((file) => ({ ...file, name: basename(file.path), format: extname(file.path).slice(1).toLowerCase() }));
}

/** A model in parts is its folder; its name is what stands before a hub's bookkeeping. */
function inParts(files: readonly FoundFile[], root: string): ModelFile[] {
  const bytes = new Map<string, number>();
  for (const { path, sizeBytes } of files) {
    if (PARTS.has(extname(path).toLowerCase())) bytes.set(dirname(path), (bytes.get(dirname(path)) ?? 0) + sizeBytes);
  }
  return [...bytes].map(([path, sizeBytes]) => {
    const parts = relative(root, path).split(sep);
    const hub = parts.find((part) => part.startsWith('models--'));
    const name = hub
      ? hub.slice('models--'.length).replaceAll('--', '/')
      : parts.filter((part) => part !== 'hub').join('/');
    return { path, sizeBytes, name: name || basename(root), format: 'safetensors' };
  });
}

/** Ollama keeps weights under their hashes; a manifest says which belong to which name. */
async function fromManifests(files: readonly FoundFile[], root: string): Promise<ModelFile[]> {
  const manifests = files.filter(({ path }) => relative(root, path).split(sep)[0] === 'manifests');
  const models = await Promise.all(
    manifests.map(async ({ path }) => {
      const text = await readFile(path, 'utf8').catch(() => '');
      const layers = layersIn(text);
      const weights = layers.find(({ mediaType }) => mediaType.endsWith('.model'));
      if (!weights) return [];
      const [, , owner = '', ...named] = relative(root, path).split(sep);
      // Ollama's own models go by their bare names.
      const rest = owner === 'library' ? named : [owner, ...named];
      return [
        {
          name: rest.length > 1 ? `${rest.slice(0, -1).join('/')}:${rest.at(-1)}` : basename(path),
          path: join(root, 'blobs', weights.digest.replace(':', '-')),
          sizeBytes: layers.reduce((sum, { size }) => sum + size, 0),
          format: 'ollama',
        },
      ];
    }),
  );
  return models.flat();
}

function layersIn(text: string): { mediaType: string; digest: string; size: number }[] {
  try {
    const { layers } = JSON.parse(text) as { layers?: unknown };
    if (!Array.isArray(layers)) return [];
    return layers.filter(
      (layer) =>
        typeof layer?.mediaType === 'string' && typeof layer.digest === 'string' && typeof layer.size === 'number',
    );
  } catch {
    return [];
  }
}
