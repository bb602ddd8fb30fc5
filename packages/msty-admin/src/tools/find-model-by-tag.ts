import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, listedModel, listedModelFrom, looks, TAGS, toWire } from '../schemas.ts';

export const findModelByTag = defineTool({
  name: 'find_model_by_tag',
  title: 'Find models by tag',
  description: 'Finds available models with a tag, the fastest first if asked.',
  keywords: 'which LLMs can code, see pictures, reason or embed; capability, filter',
  input: z.object({
    tag: z.enum(TAGS).describe('Tag to search for'),
    prefer_fast: z.boolean().default(false).describe('Smaller, faster models first'),
    exclude_embedding: z
      .boolean()
      .optional()
      .meta({ default: true, description: 'Leave out embedding models; default true unless the tag is embedding' }),
  }),
  output: z.object({ tag: z.enum(TAGS), models: z.array(listedModel), count: z.int(), embedding_excluded: z.int() }),
  annotations: looks,
  errors: [...codes.required, ...codes.service],
  async run({ tag, prefer_fast, exclude_embedding }, { service, signal }) {
    const found = await service.services.findByTag(
      { tag, preferFast: prefer_fast, excludeEmbedding: exclude_embedding },
      signal,
    );
    return { ...toWire(found), models: found.models.map(listedModelFrom) };
  },
});
