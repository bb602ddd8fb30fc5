import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { emptyPage } from '../envelope.ts';
import { modelPage, modelRowOf, page } from '../schemas.ts';

export const listModels = defineTool({
  name: 'list_models',
  title: 'List models',
  description: 'Returns a page of the stored models by name, older versions too, and the total.',
  keywords: 'what networks and predictors are stored; inventory, overview',
  input: z.object({
    filter_by_name_contains: z.string().nullable().default(null).describe('Only names that contain this'),
    case_sensitive: z.boolean().default(true).describe('Match case'),
    ...page,
  }),
  output: modelPage,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['STORAGE_FAILED'],
  envelope: emptyPage('models'),
  async run({ filter_by_name_contains, case_sensitive, offset, limit }, { service }) {
    const { items, total } = await service.listModels(
      { ...(filter_by_name_contains && { nameContains: filter_by_name_contains }), caseSensitive: case_sensitive },
      { offset, limit },
    );
    return { models: items.map(modelRowOf), total_items_in_collection: total, offset, limit };
  },
});
