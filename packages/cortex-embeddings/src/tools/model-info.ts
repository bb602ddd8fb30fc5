import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { INTERNAL_ERROR, VALIDATION_ERROR } from '../errors.ts';
import { listedModel, modelOption } from '../schemas.ts';

export const modelInfo = defineTool({
  name: 'model.info',
  title: 'Describe the model',
  description:
    'Tells which model is in use, its dimensions and how much text it sees; extras.models lists every model that calls can name and which are installed. extras.identity names everything that can change a vector: store it with vectors and compare only equals.',
  keywords: 'which embedding model, how many dimensions, vector size, version, languages',
  input: z.object({ model: modelOption }).meta({ title: 'ModelInfoRequest', examples: [{}] }),
  output: z.object({
    model_name: z.string(),
    dimensions: z.int(),
    backend: z.string().nullable().describe('What runs the model'),
    model_loaded: z.boolean().describe('False until the first text: the model is loaded when it is needed'),
    extras: z
      .record(z.string(), z.unknown())
      .describe('identity, max_tokens, prompts, limits and what is special here'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [VALIDATION_ERROR, INTERNAL_ERROR],
  async run({ model }, { service }) {
    const { limits } = service;
    const facts = await service.factsOf(model);
    const available = await service.backendsAvailable();
    return {
      model_name: facts.name,
      dimensions: facts.dimensions,
      backend: facts.backend,
      model_loaded: facts.loaded,
      extras: {
        sentence_transformers_available: available.sentence_transformers ?? false,
        mlx_available: available.mlx ?? false,
        identity: facts.identity,
        max_tokens: facts.maxTokens,
        prompts: facts.prompts,
        max_chars: limits.maxChars,
        max_batch_size: limits.maxBatchSize,
        max_total_chars: limits.maxTotalChars,
        security_policy: limits.securityPolicy,
        models: (await service.listModels()).map(listedModel),
        ...facts.notes,
      },
    };
  },
});
