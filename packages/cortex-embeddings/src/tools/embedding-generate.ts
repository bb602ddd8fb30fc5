import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { embeddingErrors } from '../errors.ts';
import { singleAnswer, singleMetadata, vectorField, vectorOptions } from '../schemas.ts';

export const embeddingGenerate = defineTool({
  name: 'embedding.generate',
  title: 'Embed a text',
  description:
    'Returns the embedding vector of a text: texts of similar meaning have a high cosine. Use embedding.batch for several texts.',
  keywords: 'turn a sentence into a vector; vectorise, encode, numeric representation of words',
  input: z
    .object({ text: z.string().describe('Text to embed; surrounding blanks are ignored'), ...vectorOptions })
    .meta({ title: 'EmbeddingToolInput', examples: [{ text: 'hello world', normalize: true }] }),
  output: z.object({ embedding: vectorField, metadata: singleMetadata }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: embeddingErrors,
  async run({ text, normalize, dimensions, encoding, model, input_type: inputType }, { service, client, signal }) {
    const embedding = await service.generate(text, { normalize, dimensions, model, inputType }, { client, signal });
    return singleAnswer(embedding, service.counters, encoding);
  },
});
