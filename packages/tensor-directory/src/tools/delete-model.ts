import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid } from '../schemas.ts';

export const deleteModel = defineTool({
  name: 'delete_model',
  title: 'Delete a model',
  description: 'Deletes a model for good. A name means its newest version; the one before becomes current again.',
  keywords: 'remove, erase or discard a network; free space',
  input: z.object({ name_or_uuid: nameOrUuid }),
  output: z.object({ message: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['NOT_FOUND', 'STORAGE_FAILED'],
  run: ({ name_or_uuid }, { service }) => service.deleteModel(name_or_uuid),
});
