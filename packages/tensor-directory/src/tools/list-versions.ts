import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const listVersions = defineTool({
  name: 'list_versions',
  title: 'List versions of a name',
  description: 'Returns everything stored under a name, oldest first. Use a version as name@N or by its uuid.',
  keywords: 'history of a tensor or model; earlier, former, previous, overwritten states; undo, go back',
  input: z.object({
    name: z.string().describe('Name'),
    kind: z.enum(['tensor', 'model']).default('tensor').describe('Name of tensors or of models'),
  }),
  output: z.object({
    name: z.string(),
    versions: z.array(
      z.object({
        version: z.int().describe('Never given twice, also when versions are deleted'),
        uuid: z.string(),
        current: z.boolean().describe('Whether the bare name means this one'),
        created: z.string(),
        description: z.string(),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'STORAGE_FAILED'],
  run: ({ name, kind }, { service }) => service.listVersions(name, kind),
});
