import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { findings } from '../schemas.ts';

export const adminDoctor = defineTool({
  name: 'atoll_admin_doctor',
  title: 'Check everything',
  description: 'Checks Node, the data folder, every server and the sandboxes, and says how to repair what is wrong.',
  input: z.object({}),
  output: findings,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.settings.examine(),
});
