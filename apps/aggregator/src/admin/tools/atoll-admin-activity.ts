import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { callSummary } from '../schemas.ts';

export const adminActivity = defineTool({
  name: 'atoll_admin_activity',
  title: 'Recent calls',
  description: 'Lists the latest tool calls, newest first: who called what, how long it took and how it ended.',
  input: z.object({
    after: z.int().min(0).optional().describe('Only calls with a higher id, as `recorded` said before'),
    limit: z.int().min(1).max(1_000).default(200).describe('How many at most'),
    server: z.string().optional().describe('Only calls of this server'),
    outcome: z.enum(['ok', 'error', 'fault', 'failed']).optional().describe('"failed" is error or fault'),
    program: z.int().min(1).optional().describe('Only calls of this program of run_tools, and its own'),
    except_client: z.string().optional().describe('Leave out calls of clients of this name'),
    text: z.string().max(200).optional().describe('Part of the name of a tool, a server or a caller'),
  }),
  output: z.object({
    calls: z.array(callSummary),
    recorded: z.int().describe('How many calls there were since Atoll began'),
    capacity: z.int().describe('How many are kept; 0 where recording is off'),
    keeps_bodies: z.boolean().describe('Whether arguments and answers are kept too'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (filter, { service }) => service.listCalls(filter),
});
