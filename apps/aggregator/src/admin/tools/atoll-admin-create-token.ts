import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { revision } from '../schemas.ts';

export const adminCreateToken = defineTool({
  name: 'atoll_admin_create_token',
  title: 'Create a token',
  description: 'Creates a token for a caller and returns it once; only its file keeps it.',
  input: z.object({
    name: z
      .string()
      .regex(/^[\w -]{1,60}$/, 'letters, digits, spaces, _ and -')
      .describe('Whom it is for'),
    admin: z.boolean().default(false).describe('Whether it may administer'),
    views: z.array(z.string()).optional().describe('The only views it may open'),
    revision,
  }),
  output: z.object({
    token: z.string(),
    revision: z.string(),
    needs_restart: z.boolean().describe('Whether tokens are asked for only after a restart'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['TOKEN_EXISTS', 'CONFIG_CHANGED', 'CONFIG_REJECTED', 'NO_CONFIG_FILE'],
  run: (wanted, { service }) => service.settings.createToken(wanted),
});
