import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { embeddingErrors } from '../errors.ts';
import { batchMetadata, metadataOf, vectorOptions } from '../schemas.ts';

export const embeddingSimilarity = defineTool({
  name: 'embedding.similarity',
  title: 'Compare texts with a query',
  description:
    'Returns how near in meaning each text is to the query: cosines in the order of the texts, and the indexes from nearest to farthest. Use it to rank or deduplicate without handling vectors.',
  keywords: 'how alike, close or related sentences are; same meaning, semantic similarity, paraphrase, duplicates',
  input: z
    .object({
      query: z.string().describe('Text to compare with'),
      texts: z.array(z.string()).describe('Texts to compare'),
      normalize: vectorOptions.normalize,
      model: vectorOptions.model,
    })
    .meta({ title: 'SimilarityToolInput', examples: [{ query: 'a cat', texts: ['a kitten', 'a stock market'] }] }),
  output: z.object({
    scores: z.array(z.number()).describe('One per text, in order'),
    ranking: z.array(z.int()).describe('Indexes of the texts, nearest first'),
    metadata: batchMetadata,
  }),
  meta: { ui: { resourceUri: 'ui://cortex-embeddings/similarity' } },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: embeddingErrors,
  async run({ query, texts, normalize, model }, { service, client, signal, progress }) {
    const caller = { client, signal, progress };
    const { scores, ranking, embeddings } = await service.similarity(query, texts, { normalize, model }, caller);
    return { scores, ranking, metadata: metadataOf(embeddings, service.counters) };
  },
});
