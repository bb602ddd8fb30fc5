import type { Contract } from '@atoll-mcp/core';
import manifest from '../package.json' with { type: 'json' };
import { cortexEnvelope } from './envelope.ts';
import { internalError, invalidPayload } from './errors.ts';
import { similarityView } from './resources/similarity-view.ts';
import type { EmbeddingService } from './service.ts';
import { embeddingBatch } from './tools/embedding-batch.ts';
import { embeddingGenerate } from './tools/embedding-generate.ts';
import { embeddingRerank } from './tools/embedding-rerank.ts';
import { embeddingSimilarity } from './tools/embedding-similarity.ts';
import { embeddingTokens } from './tools/embedding-tokens.ts';
import { embeddingVerify } from './tools/embedding-verify.ts';
import { healthStatus } from './tools/health-status.ts';
import { modelInfo } from './tools/model-info.ts';

export const contract = {
  name: 'cortex-embeddings',
  title: 'Cortex Embeddings',
  version: manifest.version,
  description: 'Text embeddings from a real model, offline',
  instructions:
    'Turns texts into vectors whose cosine tells how near they are in meaning. Use embedding.similarity to compare texts directly, embedding.rerank to order search results, embedding.batch for many texts at once, and embedding.tokens before embedding long documents: the model sees only the first extras.max_tokens tokens of a text (model.info).',
  envelope: cortexEnvelope,
  failures: {
    invalidInput: (issues) => {
      const problems = issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
      const index = issues.flatMap(({ path: [field, place] }) =>
        (field === 'texts' || field === 'documents') && typeof place === 'number' ? [place] : [],
      )[0];
      return invalidPayload(problems, index === undefined ? {} : { index });
    },
    internal: internalError,
  },
  resources: [similarityView],
  tools: [
    embeddingGenerate,
    embeddingBatch,
    modelInfo,
    healthStatus,
    embeddingSimilarity,
    embeddingTokens,
    embeddingRerank,
    embeddingVerify,
  ],
} satisfies Contract<EmbeddingService>;
