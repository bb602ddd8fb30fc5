import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

const upstream = z.object({
  key: z.string().describe('Its name in the configuration'),
  state: z.enum(['up', 'starting', 'waiting', 'down', 'disabled']).describe('"up" only when it can be used now'),
  since: z.string().describe('When it came into this state'),
  kind: z.enum(['in-process', 'stdio', 'http', 'openapi']),
  era: z.enum(['legacy', 'modern']).optional().describe('Which protocol era it speaks'),
  server: z.string().optional().describe('What it calls itself, with its version'),
  tools: z.int(),
  prompts: z.int(),
  resources: z.int(),
  calls: z.int().describe('Tool calls sent to it since Atoll began'),
  failures: z.int().describe('How many of them failed'),
  call_tokens: z
    .int()
    .describe('About how many tokens models wrote and read for these calls; answers to programs do not count'),
  latest_ms: z.array(z.number()).describe('How long the latest calls took, oldest first'),
  restarts: z.int(),
  reason: z.string().optional().describe('Why it cannot be used'),
  definitions: z
    .object({
      state: z.enum(['pinned', 'changed', 'unknown']).describe('Whether its tools are as they were when first used'),
      held_back: z.int().describe('How many new or changed tools are not listed until a person approves them'),
      is_other_server: z.boolean().optional().describe('Its command, address or name is not the one that was pinned'),
      changes: z.array(z.string()).optional().describe('Tools that were added, removed, changed or renamed'),
      warnings: z.array(z.string()).optional().describe('What looks like an attack in its definitions'),
      problem: z.string().optional().describe('Why its definitions could not be compared'),
      advice: z.string().optional().describe('What a person can do'),
    })
    .optional(),
});

const view = z.object({
  name: z.string().optional().describe('Left out for the view without a name'),
  tools: z.int().describe('How many its list has'),
  list_tokens: z.int().describe('About what the list costs a model that is given all of it: characters / 4'),
});

export const atollStatus = defineTool({
  name: 'atoll_status',
  title: 'Status of Atoll',
  description:
    'Shows every server: whether it is up, since when, its calls, failures and tokens, and why it cannot be used; and what the list of tools costs. Use it when a tool is missing or fails.',
  input: z.object({}),
  output: z.object({
    upstreams: z.array(upstream),
    views: z.array(view),
    call_tokens: z.int().describe("Of these servers' calls and of Atoll's own tools"),
    version: z.string(),
    uptime_seconds: z.number(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  run: (_input, { service, request }) => service.status(request),
});
