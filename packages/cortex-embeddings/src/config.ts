import { availableParallelism } from 'node:os';
import { type Config, defineConfig } from '@atoll-mcp/server';
import { z } from 'zod';
import { securityPolicies } from './domain/text-rules.ts';

export const configDefinition = defineConfig({
  program: 'cortex-embeddings',
  prefix: 'CORTEX',
  defaultPort: 7413,
  shape: {
    backend: z
      .enum(['auto', 'onnx', 'wasm', 'transformers', 'openai'])
      .default('auto')
      .describe(
        'Backend that computes the vectors; auto is the built-in model, native where possible and else in WebAssembly',
      ),
    precision: z.enum(['int8', 'fp32']).default('int8').describe('Of the built-in model: fast, or exact'),
    workers: z
      .int()
      .min(1)
      .max(64)
      .default(Math.min(4, availableParallelism()))
      .meta({ description: 'Threads for the built-in model', defaultText: 'one per core, at most 4' }),
    warmUp: z.boolean().default(false).describe('Load the model at the start instead of with the first text'),
    model: z
      .string()
      .min(1)
      .optional()
      .describe('Model to use: of those that "models list" shows, or of the transformers or openai backend'),
    modelPath: z.string().min(1).optional().describe('Folder that holds models for the transformers backend'),
    modelDownloads: z.boolean().default(false).describe('Let the transformers backend fetch models from the network'),
    modelDtype: z.string().min(1).default('q8').describe('Which file of a transformers model: q8, fp32, fp16'),
    modelDimensions: z.int().min(1).optional().describe('Dimensions of a model that is not in the registry'),
    hubUrl: z
      .url()
      .default('https://huggingface.co')
      .meta({ description: 'Where "models pull" finds the Hugging Face hub', env: ['HF_ENDPOINT'] }),
    hubToken: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: 'Token for models of the hub that require one',
        flag: false,
        secret: true,
        env: ['HF_TOKEN'],
      }),
    rerankUrl: z
      .url()
      .optional()
      .describe('Address of a rerank endpoint (Cohere, Jina or TEI), up to and with its path'),
    rerankModel: z.string().min(1).optional().describe('Model of the rerank endpoint'),
    rerankApiKey: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Key of the rerank endpoint', flag: false, secret: true }),
    openaiUrl: z.url().default('https://api.openai.com/v1').describe('Base address of the openai backend'),
    openaiApiKey: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Its key', flag: false, secret: true, env: ['OPENAI_API_KEY'] }),
    maxChars: z
      .int()
      .min(1)
      .default(8_192)
      .meta({ description: 'Characters a text may have', env: ['EMBED_MAX_CHARS'] }),
    maxBatchSize: z.int().min(1).default(256).describe('Texts a call may have'),
    maxTotalChars: z.int().min(1).default(1_048_576).describe('Characters the texts of a call may have together'),
    securityPolicy: z
      .enum(securityPolicies)
      .default('standard')
      .meta({
        description: 'Which texts are rejected; strict also rejects .. and backticks, off rejects none',
        env: ['EMBED_SECURITY_POLICY'],
      }),
    rateLimitPerMinute: z
      .int()
      .min(0)
      .default(120)
      .meta({
        description: 'Requests per client and minute, not counting cache hits; 0 for no limit',
        env: ['EMBED_RATE_LIMIT_PER_MINUTE'],
      }),
    maxQueuedTexts: z
      .int()
      .min(1)
      .default(8_192)
      .describe('Texts that may wait for the model before more are rejected'),
    cacheSize: z
      .int()
      .min(0)
      .default(256)
      .meta({ description: 'Vectors kept in memory', env: ['EMBED_CACHE_SIZE'] }),
    diskCacheBytes: z
      .int()
      .min(0)
      .default(256 * 1024 * 1024)
      .describe('Bytes of vectors kept on disk between starts; 0 for none'),
  },
});

export type CortexConfig = Config<typeof configDefinition>;
