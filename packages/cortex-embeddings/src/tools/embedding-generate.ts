import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { embeddingErrors } from '../errors.ts';
import { singleAnswer, singleMetadata, vectorField, vectorOptions } from '../schemas.ts';

export const embeddingGenerate = defineTool({
  name: 'embedding.generate',
  title: 'Embed a text',
  description:
    'Generates an embedding vector for a single text. Texts that mean similar things get vectors with a high cosine. Use embedding.batch for several texts.',
  input: z
    .object({ text: z.string().describe('The text to embed; blanks at both ends are ignored'), ...vectorOptions })
    .meta({ title: 'EmbeddingToolInput', examples: [{ text: 'hello world', normalize: true }] }),
  output: z.object({ embedding: vectorField, metadata: singleMetadata }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: embeddingErrors,
  async run({ text, normalize, dimensions, encoding, model, input_type: inputType }, { service, client, signal }) {
    const embedding = await service.generate(text, { normalize, dimensions, model, inputType }, { client, signal });
    return singleAnswer(embedding, service.counters, encoding);
  },
});
