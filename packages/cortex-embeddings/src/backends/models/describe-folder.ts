import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { CatalogModel, Pooling } from '../../domain/models/model-catalog.ts';
import { findModel, noPrompts } from '../../domain/models/model-registry.ts';
import { ModelProblem } from '../model-problem.ts';
import { isModelName } from './model-store.ts';

const DEFAULT_MAX_TOKENS = 512;

/** What is known of a sentence encoder in a folder: from the registry, and from the files that models come with. */
export function describeFolder(path: string): CatalogModel {
  const folder = resolve(path);
  for (const file of ['model.onnx', 'tokenizer.json']) {
    if (!existsSync(join(folder, file))) {
      throw new ModelProblem(
        `${folder} holds no ${file}`,
        'A model is a folder with model.onnx and tokenizer.json, as "optimum-cli export onnx" makes it',
      );
    }
  }
  const name = basename(folder);
  if (!isModelName(name)) {
    throw new ModelProblem(
      `"${name}" cannot be the name of a model`,
      'Rename the folder: letters, digits, ".", "-", "_"',
    );
  }
  return describeFiles(name, (file) => readJson(join(folder, file)), { kind: 'folder', path: folder });
}

/** The same for files that are not in a folder yet. */
export function describeFiles(
  name: string,
  read: (file: string) => Record<string, unknown> | undefined,
  source: CatalogModel['source'],
): CatalogModel {
  const known = findModel(name);
  const config = read('config.json');
  const architectures = Array.isArray(config?.architectures) ? config.architectures : [];
  const isReranker = architectures.some((each) => String(each).endsWith('ForSequenceClassification'));
  return {
    name,
    kind: isReranker ? 'reranker' : 'embedding',
    format: 'onnx',
    languages: [],
    dimensions: isReranker ? 0 : (known?.dimensions ?? numberIn(config?.hidden_size) ?? 0),
    maxTokens: known?.maxTokens ?? maxTokensOf(read),
    pooling: isReranker ? 'given' : (poolingOf(read('1_Pooling/config.json')) ?? known?.pooling ?? 'mean'),
    prompts: known?.prompts ?? noPrompts,
    licence: 'unknown',
    sizeBytes: 0,
    source,
    files: ['model.onnx', 'tokenizer.json'].map((file) => ({ name: file, path: file })),
  };
}

function poolingOf(config: Record<string, unknown> | undefined): Pooling | undefined {
  if (config?.pooling_mode_cls_token === true) return 'cls';
  return config?.pooling_mode_mean_tokens === true ? 'mean' : undefined;
}

function maxTokensOf(read: (file: string) => Record<string, unknown> | undefined): number {
  const truncation = read('tokenizer.json')?.truncation as { max_length?: unknown } | null | undefined;
  const limits = [
    read('sentence_bert_config.json')?.max_seq_length,
    truncation?.max_length,
    read('tokenizer_config.json')?.model_max_length,
    read('config.json')?.max_position_embeddings,
  ];
  const [first] = limits.map(numberIn).filter((limit) => limit !== undefined && limit >= 2 && limit <= 100_000);
  return first ?? DEFAULT_MAX_TOKENS;
}

const numberIn = (value: unknown): number | undefined => (Number.isInteger(value) ? (value as number) : undefined);

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
