import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { embeddingErrors } from '../errors.ts';
import { givenVector, modelOption } from '../schemas.ts';

export const embeddingVerify = defineTool({
  name: 'embedding.verify',
  title: 'Verify a stored vector',
  description:
    'Tells whether a stored vector is what this model makes of the text, not one of another model, precision or text. Check a sample before comparing old vectors with new ones.',
  keywords: 'was a vector made by this model; check, validate, outdated vectors, migration',
  input: z
    .object({
      text: z.string().describe('The text that was embedded'),
      embedding: givenVector,
      model: modelOption,
    })
    .meta({ title: 'VerifyToolInput', examples: [{ text: 'hello world', embedding: [0.1, 0.2] }] }),
  output: z.object({
    same: z.boolean().describe('Whether the vector is of this text and this model, rounding aside'),
    cosine: z.number().nullable().describe('Between both vectors; null when the number of dimensions cannot fit'),
    identity: z.string().describe('Of the model that was asked'),
    dimensions: z.int().describe('Of that model'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: embeddingErrors,
  async run({ text, embedding, model }, { service, client, signal }) {
    const { same, cosine, embedding: own } = await service.verify(text, embedding, { model }, { client, signal });
    return { same, cosine, identity: own.model.identity, dimensions: own.model.dimensions };
  },
});
