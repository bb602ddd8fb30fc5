import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { cacheStats, codes, looks, toWire } from '../schemas.ts';

export const getServerStatus = defineTool({
  name: 'get_server_status',
  title: 'Show server status',
  description: "Returns this server's version and tools by group, the state of Msty and of the response cache.",
  keywords: 'version of this server, what it can do, uptime',
  input: z.object({}),
  output: z.object({
    server: z.object({
      name: z.string(),
      version: z.string().describe('Version of this package'),
      api_version: z.string().describe('Version of the API that its tools follow'),
    }),
    tool_count: z.int(),
    tools: z.array(z.object({ name: z.string(), toolset: z.string() })),
    msty_status: z.object({
      installed: z.boolean(),
      version: z.string().nullable(),
      is_running: z.boolean().nullable(),
    }),
    cache_stats: cacheStats,
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service }) {
    const { server, mstyStatus, cacheStats: cache, ...status } = await service.installation.serverStatus();
    return {
      ...toWire(status),
      server: toWire(server),
      msty_status: toWire(mstyStatus),
      cache_stats: toWire(cache),
    };
  },
});
