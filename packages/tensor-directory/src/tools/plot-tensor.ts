import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid, slice } from '../schemas.ts';

export const plotTensor = defineTool({
  name: 'plot_tensor',
  title: 'Plot a tensor',
  description:
    'Returns a picture (PNG) of a tensor or a slice of it, and a sentence on what it shows. auto draws a line for one dimension, a heatmap for two, ' +
    'else a histogram.',
  keywords: 'chart, graph, diagram, image or visualisation of an array; draw numbers; histogram, heatmap, line',
  input: z.object({
    name_or_uuid: nameOrUuid,
    kind: z.enum(['auto', 'heatmap', 'line', 'histogram']).default('auto').describe('Kind of picture'),
    slice,
  }),
  output: z.object({ message: z.string().describe('What the picture shows') }),
  meta: { ui: { resourceUri: 'ui://tensor-directory/plot' } },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'INVALID_SLICE', 'NOT_PLOTTABLE', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, kind, slice }, { service, attach }) {
    const { png, sentence } = await service.plotTensor(name_or_uuid, kind, slice);
    attach({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
    return { message: sentence };
  },
});
