import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { INTERNAL_ERROR, TEXT_TOO_LONG, VALIDATION_ERROR } from '../errors.ts';
import { modelOption } from '../schemas.ts';

export const embeddingTokens = defineTool({
  name: 'embedding.tokens',
  title: 'Count tokens',
  description:
    "Counts each text's tokens as the model sees them, and says which texts are too long for it. Use it to cut long documents before embedding.",
  keywords: 'how long is a text; too long, truncated, cut off, limit, length, split',
  input: z
    .object({ texts: z.array(z.string()).describe('Texts to count'), model: modelOption })
    .meta({ title: 'TokensToolInput', examples: [{ texts: ['hello world'] }] }),
  output: z.object({
    counts: z.array(z.int()).describe('Tokens per text, those that mark its ends included'),
    truncated: z.array(z.boolean()).describe('Whether the model would see only the beginning of the text'),
    limit: z.int().nullable().describe('How many tokens of a text the model sees'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [VALIDATION_ERROR, TEXT_TOO_LONG, INTERNAL_ERROR],
  async run({ texts, model }, { service }) {
    const counted = await service.countTokens(texts, model);
    return {
      counts: counted.map(({ tokens }) => tokens),
      truncated: counted.map(({ truncated }) => truncated),
      limit: (await service.factsOf(model)).maxTokens,
    };
  },
});
