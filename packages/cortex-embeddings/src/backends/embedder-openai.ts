import { withDeadline } from '@atoll-mcp/core';
import { z } from 'zod';
import type { KnownModel } from '../domain/models/model-registry.ts';
import { unitVector } from '../domain/vector.ts';
import { backendRefused, modelUnavailable, wrongVectors } from '../errors.ts';
import type { EmbeddingBackend } from './interface.ts';

interface OpenAiSettings {
  /** Up to and without `/embeddings`. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly facts: Pick<KnownModel, 'dimensions' | 'prompts'> & { readonly maxTokens: number | null };
}

/** The first call may have to wait until the endpoint has loaded its model. */
const TIMEOUT_MS = 120_000;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

/** Any endpoint that speaks OpenAI's embeddings API. */
export function openAiBackend({ url, apiKey, model, facts }: OpenAiSettings): EmbeddingBackend {
  const endpoint = `${url.replace(/\/+$/, '')}/embeddings`;
  let hasAnswered = false;
  return {
    model: { name: model, identity: `openai/${new URL(url).host}/${model}/${facts.dimensions}`, ...facts },
    maxConcurrentRuns: 4,
    perRun: { texts: 64, characters: 100_000 },
    state: () => ({ name: 'openai', loaded: hasAnswered, notes: { endpoint: new URL(url).host } }),
    load: async () => {},
    async embed(texts, { normalize, signal }) {
      const answer = answerSchema.safeParse(await withDeadline(TIMEOUT_MS, signal, (ended) => ask(texts, ended)));
      if (!answer.success) throw wrongVectors('something that is not a list of embeddings');
      const places = new Set(answer.data.data.map(({ index }) => index));
      if (places.size < answer.data.data.length) throw wrongVectors('two embeddings for one text');
      hasAnswered = true;
      return [...answer.data.data]
        .sort((a, b) => a.index - b.index)
        .map(({ embedding }) => {
          const vector = Float32Array.from(embedding);
          return { vector: Float32Array.from(normalize ? unitVector(vector) : vector), tokens: null, truncated: false };
        });
    },
    close: async () => {},
  };

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<unknown> {
    const unavailable = (cause: unknown) =>
      modelUnavailable('its endpoint cannot be reached', 'Check --openai-url and that it is running', cause);
    const response = await fetch(endpoint, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
    }).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    if (!response.ok) throw backendRefused('openai', response.status);
    return response.json().catch((cause: unknown) => {
      if (signal.aborted) throw unavailable(cause);
    });
  }
}
