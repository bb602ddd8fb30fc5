/** What has to be known of a model before its first vector. */
export interface KnownModel {
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly pooling: 'mean' | 'cls';
  readonly prompts: { readonly query: string; readonly passage: string };
}

export const noPrompts = { query: '', passage: '' };
export const e5Prompts = { query: 'query: ', passage: 'passage: ' };
export const bgePrompts = { query: 'Represent this sentence for searching relevant passages: ', passage: '' };

const known: Readonly<Record<string, KnownModel>> = {
  'all-MiniLM-L6-v2': { dimensions: 384, maxTokens: 256, pooling: 'mean', prompts: noPrompts },
  'all-MiniLM-L12-v2': { dimensions: 384, maxTokens: 128, pooling: 'mean', prompts: noPrompts },
  'all-mpnet-base-v2': { dimensions: 768, maxTokens: 384, pooling: 'mean', prompts: noPrompts },
  'paraphrase-multilingual-MiniLM-L12-v2': { dimensions: 384, maxTokens: 128, pooling: 'mean', prompts: noPrompts },
  'gte-small': { dimensions: 384, maxTokens: 512, pooling: 'mean', prompts: noPrompts },
  'gte-base': { dimensions: 768, maxTokens: 512, pooling: 'mean', prompts: noPrompts },
  'bge-small-en-v1.5': { dimensions: 384, maxTokens: 512, pooling: 'cls', prompts: bgePrompts },
  'bge-base-en-v1.5': { dimensions: 768, maxTokens: 512, pooling: 'cls', prompts: bgePrompts },
  'bge-large-en-v1.5': { dimensions: 1024, maxTokens: 512, pooling: 'cls', prompts: bgePrompts },
  'bge-m3': { dimensions: 1024, maxTokens: 8192, pooling: 'cls', prompts: noPrompts },
  'e5-small-v2': { dimensions: 384, maxTokens: 512, pooling: 'mean', prompts: e5Prompts },
  'e5-base-v2': { dimensions: 768, maxTokens: 512, pooling: 'mean', prompts: e5Prompts },
  'multilingual-e5-small': { dimensions: 384, maxTokens: 512, pooling: 'mean', prompts: e5Prompts },
  'multilingual-e5-base': { dimensions: 768, maxTokens: 512, pooling: 'mean', prompts: e5Prompts },
  'multilingual-e5-large': { dimensions: 1024, maxTokens: 512, pooling: 'mean', prompts: e5Prompts },
  'nomic-embed-text-v1.5': {
    dimensions: 768,
    maxTokens: 8192,
    pooling: 'mean',
    prompts: { query: 'search_query: ', passage: 'search_document: ' },
  },
  'text-embedding-3-small': { dimensions: 1536, maxTokens: 8191, pooling: 'mean', prompts: noPrompts },
  'text-embedding-3-large': { dimensions: 3072, maxTokens: 8191, pooling: 'mean', prompts: noPrompts },
  'text-embedding-ada-002': { dimensions: 1536, maxTokens: 8191, pooling: 'mean', prompts: noPrompts },
};

/** Looks a model up by its own name, whoever published this copy: `Xenova/gte-small` is `gte-small`. */
export function findModel(name: string): KnownModel | undefined {
  const ownName = name.split(/[/\\]/).filter(Boolean).at(-1) ?? name;
  return Object.hasOwn(known, ownName) ? known[ownName] : undefined;
}

/** What the cosine of two texts with nothing in common is about: e5 learnt with a low temperature, so its vectors all lie close together. */
export const unrelatedCosineOf = (model: string): number => (/(^|[-/])e5-/i.test(model) ? 0.7 : 0);
