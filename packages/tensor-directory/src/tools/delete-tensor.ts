import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid } from '../schemas.ts';

export const deleteTensor = defineTool({
  name: 'delete_tensor',
  title: 'Delete a tensor',
  description: 'Deletes a tensor for good. A name means its newest version; the one before becomes current again.',
  keywords: 'remove, erase or discard an array or matrix; free space',
  input: z.object({ name_or_uuid: nameOrUuid }),
  output: z.object({ message: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['NOT_FOUND', 'STORAGE_FAILED'],
  run: ({ name_or_uuid }, { service }) => service.deleteTensor(name_or_uuid),
});
