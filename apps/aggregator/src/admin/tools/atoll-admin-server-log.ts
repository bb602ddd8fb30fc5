import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { key } from '../schemas.ts';

export const adminServerLog = defineTool({
  name: 'atoll_admin_server_log',
  title: "A server's log",
  description: 'Returns the last lines that a server wrote to its stderr.',
  input: z.object({
    key,
    filter: z.string().max(200).default('').describe('Only lines that contain this'),
    limit: z.int().min(1).max(500).default(200).describe('How many lines at most, the last ones'),
  }),
  output: z.object({ key: z.string(), lines: z.array(z.string()) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_SERVER'],
  run: ({ key, filter, limit }, { service }) => service.servers.log(key, filter, limit),
});
