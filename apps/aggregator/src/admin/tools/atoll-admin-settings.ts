import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { settingsInUse } from '../schemas.ts';

export const adminSettings = defineTool({
  name: 'atoll_admin_settings',
  title: 'Settings in use',
  description: 'Returns what runs with which settings, who may use it, and how much the data folder holds.',
  input: z.object({}),
  output: settingsInUse,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.settings.show(),
});
