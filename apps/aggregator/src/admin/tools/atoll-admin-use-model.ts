import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const adminUseModel = defineTool({
  name: 'atoll_admin_use_model',
  title: 'Choose the model for embeddings',
  description: 'Chooses the model that is used when a call names none. It takes effect when Atoll is started again.',
  input: z.object({ name: z.string().min(1).describe('An installed model that atoll_admin_setup gave') }),
  output: z.object({ used: z.string(), needs_restart: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['MODEL_NOT_INSTALLED'],
  run: ({ name }, { service }) => service.setup.useModel(name),
});
