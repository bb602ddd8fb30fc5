import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { embeddingErrors } from '../errors.ts';
import { batchAnswer, batchMetadata, vectorOptions, vectorsField } from '../schemas.ts';

export const embeddingBatch = defineTool({
  name: 'embedding.batch',
  title: 'Embed several texts',
  description:
    'Returns one embedding vector per text, in order. One bad text fails the call; details.index says which.',
  keywords: 'vectors for a list of sentences, titles, documents; vectorise, encode many at once',
  input: z
    .object({ texts: z.array(z.string()).describe('The texts to embed'), ...vectorOptions })
    .meta({ title: 'BatchEmbeddingToolInput', examples: [{ texts: ['text-1', 'text-2'], normalize: true }] }),
  output: z.object({ embeddings: vectorsField, metadata: batchMetadata }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: embeddingErrors,
  async run(
    { texts, normalize, dimensions, encoding, model, input_type: inputType },
    { service, client, signal, progress },
  ) {
    const options = { normalize, dimensions, model, inputType };
    return batchAnswer(await service.batch(texts, options, { client, signal, progress }), service.counters, encoding);
  },
});
