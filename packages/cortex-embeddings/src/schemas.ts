import { unchecked } from '@atoll-mcp/core';
import { z } from 'zod';
import type { Counters, Embedding } from './domain/embedding.ts';
import type { ListedModel } from './domain/models/listed-model.ts';
import { type EncodedVector, type Encoding, encodeVector, encodings } from './domain/vector.ts';

const vectorSchema: z.core.JSONSchema.JSONSchema = {
  anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }],
};

/** Not checked value by value: a full batch has a hundred thousand of them, all from typed arrays. */
export const vectorField = typed<EncodedVector>(
  unchecked(vectorSchema, 'The vector: numbers, or base64 of little-endian float32'),
);
export const vectorsField = typed<EncodedVector[]>(
  unchecked({ type: 'array', items: vectorSchema }, 'One vector per text, in order'),
);

export const modelOption = z
  .string()
  .min(1)
  .optional()
  .describe('default, quality, multilingual or a name from model.info');

export const vectorOptions = {
  normalize: z.boolean().default(true).describe('Scale to length 1, so that products are cosines'),
  dimensions: z.int().min(1).optional().describe('Keep only the first values, then scale again'),
  encoding: z.enum(encodings).default('float').describe('float: numbers; base64: float32 bytes; int8: small integers'),
  model: modelOption,
  input_type: z
    .enum(['query', 'passage'])
    .optional()
    .describe('Adds the prefix that the model wants for searches or for texts to be found, if any'),
};

export const givenVector = z
  .union([z.array(z.number()).min(1), z.string().min(1)], 'must be a list of numbers or a text in base64')
  .describe('Stored vector: numbers, or base64 of little-endian float32');

export const cacheMetrics = z.object({
  cache_hits: z.int().describe('Texts answered from the cache since the start'),
  cache_misses: z.int().describe('Texts computed by the model since the start'),
  rate_limited: z.int().describe('Requests rejected by the rate limit since the start'),
});

const modelFields = {
  model_name: z.string().describe('The model that made the vector'),
  dimensions: z.int().describe('Values per vector'),
  backend: z.string().nullable().describe('What ran the model'),
  identity: z.string().describe('Names everything that can change a vector; compare only vectors of equal identity'),
};

const timeFields = {
  generated_at: z.string().describe('When the vector was computed; for a cached one, then'),
  cache_metrics: cacheMetrics,
  encoding: z.enum(encodings).optional().describe('How the vector is written, when not as floats'),
};

export const singleMetadata = z.object({
  ...modelFields,
  cached: z.boolean(),
  source: z.enum(['generator', 'cache']),
  ...timeFields,
  scale: z.number().optional().describe('int8 only: multiply by this to get floats'),
  truncated: z.boolean().optional().describe('Present and true when the model saw only the beginning of the text'),
});

export const batchMetadata = z.object({
  ...modelFields,
  count: z.int().describe('How many texts there were'),
  cached_hits: z.int().describe('How many of them were answered from the cache'),
  source: z.enum(['generator', 'cache', 'mixed']),
  ...timeFields,
  scales: z.array(z.number()).optional().describe('int8 only: one factor per vector'),
  truncated: z.array(z.int()).optional().describe('Indexes of texts of which the model saw only the beginning'),
});

/** The original's answer for one text. */
export function singleAnswer(embedding: Embedding, counters: Readonly<Counters>, encoding: Encoding) {
  const { values, scale } = encodeVector(embedding.vector, encoding);
  const metadata: z.input<typeof singleMetadata> = {
    ...modelOf(embedding),
    cached: embedding.cached,
    source: embedding.cached ? 'cache' : 'generator',
    generated_at: embedding.generatedAt.toISOString(),
    cache_metrics: metricsOf(counters),
    ...(encoding !== 'float' && { encoding }),
    ...(scale !== undefined && { scale }),
    ...(embedding.truncated && { truncated: true }),
  };
  return { embedding: values, metadata };
}

/** The original's answer for a batch. */
export function batchAnswer(embeddings: readonly Embedding[], counters: Readonly<Counters>, encoding: Encoding) {
  const encoded = embeddings.map(({ vector }) => encodeVector(vector, encoding));
  const scales = encoded.flatMap(({ scale }) => (scale === undefined ? [] : [scale]));
  const metadata: z.input<typeof batchMetadata> = {
    ...metadataOf(embeddings, counters),
    ...(encoding !== 'float' && { encoding }),
    ...(scales.length > 0 && { scales }),
  };
  const vectors: EncodedVector[] = encoded.map(({ values }) => values);
  return { embeddings: vectors, metadata };
}

/** There is at least one embedding: a batch without texts is refused. */
export function metadataOf(
  embeddings: readonly Embedding[],
  counters: Readonly<Counters>,
): z.input<typeof batchMetadata> {
  const cachedHits = embeddings.filter(({ cached }) => cached).length;
  const truncated = embeddings.flatMap((embedding, index) => (embedding.truncated ? [index] : []));
  const newest = embeddings.reduce((latest, { generatedAt }) => Math.max(latest, generatedAt.getTime()), 0);
  return {
    ...modelOf(embeddings[0]!),
    count: embeddings.length,
    cached_hits: cachedHits,
    source: cachedHits === 0 ? 'generator' : cachedHits === embeddings.length ? 'cache' : 'mixed',
    generated_at: new Date(newest).toISOString(),
    cache_metrics: metricsOf(counters),
    ...(truncated.length > 0 && { truncated }),
  };
}

/** A model as `model.info` and the command line show it. */
export function listedModel({ maxTokens, sizeBytes, ...model }: ListedModel) {
  return { ...model, max_tokens: maxTokens, size_bytes: sizeBytes };
}

export function metricsOf({ cacheHits, cacheMisses, rateLimited }: Readonly<Counters>): z.input<typeof cacheMetrics> {
  return { cache_hits: cacheHits, cache_misses: cacheMisses, rate_limited: rateLimited };
}

/** A field that is not checked here still has a type. */
function typed<Value>(field: z.ZodType): z.ZodType<Value, Value> {
  return field as z.ZodType<Value, Value>;
}

const modelOf = ({ model, vector }: Embedding) => ({
  model_name: model.name,
  dimensions: vector.length,
  backend: model.backend,
  identity: model.identity,
});
