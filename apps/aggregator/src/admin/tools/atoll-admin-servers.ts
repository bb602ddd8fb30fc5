import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { serverList } from '../schemas.ts';

export const adminServers = defineTool({
  name: 'atoll_admin_servers',
  title: 'Servers and their settings',
  description: 'Lists every server with its state, its settings and its tools, and the revision that changes need.',
  input: z.object({}),
  output: serverList,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service }) => service.servers.list(),
});
