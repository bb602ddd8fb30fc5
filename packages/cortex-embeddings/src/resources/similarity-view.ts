import { appView } from '@atoll-mcp/core';
import type { EmbeddingService } from '../service.ts';

/** The ranking of `embedding.similarity` as bars, for clients that show views. */
export const similarityView = appView<EmbeddingService>({
  uri: 'ui://cortex-embeddings/similarity',
  name: 'similarity-view',
  title: 'Similarity of texts',
  description: 'Shows how alike each text is to the query, best first.',
  style:
    'h2 { font-size: 1em; margin: 0 0 8px; } ol { padding-left: 1.8em; margin: 0; } li { margin-bottom: 6px; overflow-wrap: anywhere; } meter { width: 60%; height: 1em; vertical-align: middle; } b { font-variant-numeric: tabular-nums; }',
  show: `
  const { scores = [], ranking = [] } = result.structuredContent || {};
  const texts = input.texts || [];
  if (input.query) add(root, 'h2', 'Nearest to: ' + input.query);
  const list = add(root, 'ol');
  for (const index of ranking) {
    const item = add(list, 'li', undefined, texts[index] ? {} : { value: index + 1 });
    add(item, 'meter', undefined, { min: 0, max: 1, value: Math.max(0, scores[index]), 'aria-label': 'text ' + (index + 1) });
    add(item, 'b', ' ' + scores[index].toFixed(3));
    if (texts[index]) add(item, 'div', texts[index]);
  }
  if (texts.length === 0) add(root, 'p', 'Numbers are the places of the texts in the call.', { class: 'hint' });`,
});
