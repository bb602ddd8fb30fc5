import { z } from 'zod';
import { isAddress } from '../commands/clients/read-client.ts';
import { SERVER_NAME } from '../config.ts';

export const callSummary = z.object({
  id: z.int(),
  at: z.string(),
  ms: z.number(),
  caller: z.string(),
  client: z.string().optional(),
  view: z.string().optional(),
  server: z.string(),
  name: z.string().describe('As the caller called it'),
  tool: z.string().describe("The server's own name"),
  outcome: z.enum(['ok', 'error', 'fault']).describe('"error": the tool failed; "fault": it could not be reached'),
  code: z.int().optional(),
  program: z.int().optional().describe('Number of the program of run_tools that made the call, or that the call ran'),
  sent_chars: z.int().describe('About how many characters of JSON were sent'),
  answer_chars: z.int(),
  about_tokens: z.int().describe('Estimated from the characters of both'),
});

export const key = z.string().min(1).describe('Name of the server in the configuration');
export const newKey = z
  .string()
  .regex(...SERVER_NAME)
  .describe('Name of the new server');
export const revision = z
  .string()
  .describe('The revision that atoll_admin_servers gave; a newer file is not overwritten');

const texts = z.record(z.string(), z.string());

export const serverSettings = z
  .object({
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().min(1).optional(),
    url: z.string().refine(isAddress, 'must begin with http:// or https://').optional(),
    headers: texts.optional(),
    openapi: z.string().min(1).optional(),
    baseUrl: z.string().refine(isAddress, 'must begin with http:// or https://').optional(),
    auth: texts.optional(),
    prefix: z.string().max(40).optional(),
  })
  .refine(
    ({ command, url, openapi }) => [command, url, openapi].filter((each) => each !== undefined).length === 1,
    'needs either "command" or "url", or "openapi"',
  )
  .describe(
    'How it is started (command, args, env, cwd) or reached (url, headers), or the HTTP API that it stands for (openapi, baseUrl, auth), and the prefix of its tools',
  );

export type EditableServer = z.output<typeof serverSettings>;

export const changed = z.object({ revision: z.string().describe('Of the configuration as it is now') });

export const serverList = z.object({
  revision: z.string(),
  file: z.string().optional().describe('The configuration file'),
  servers: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(['in-process', 'stdio', 'http', 'openapi']),
      is_builtin: z.boolean(),
      state: z.string(),
      since: z.string(),
      restarts: z.int(),
      reason: z.string().optional(),
      settings: serverSettings.optional(),
      tools: z.array(
        z.object({
          name: z.string(),
          title: z.string().optional(),
          description: z.string().optional(),
          listed: z.boolean(),
          held_back: z.boolean().optional().describe('Not listed until its definition is approved'),
        }),
      ),
      has_log: z.boolean(),
    }),
  ),
});

export const settingsInUse = z.object({
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  uptime_seconds: z.number(),
  revision: z.string(),
  file: z.string().optional(),
  data_dir: z.string(),
  folders: z.array(z.object({ name: z.string(), bytes: z.number(), files: z.int() })),
  settings: z.record(z.string(), z.unknown()).describe('Without secrets'),
  views: z.array(z.object({ name: z.string(), servers: z.array(z.string()).optional(), mode: z.string() })),
  tokens: z.array(z.object({ name: z.string(), admin: z.boolean(), views: z.array(z.string()).optional() })),
  is_authenticated: z.boolean().describe('Whether callers need a token'),
});

export const findings = z.object({
  ok: z.boolean(),
  findings: z.array(
    z.object({
      what: z.string(),
      is_fine: z.boolean(),
      detail: z.string().optional(),
      repair: z.string().optional(),
    }),
  ),
});

const partChange = z.object({
  part: z.string().describe('Such as "description" or "argument path"'),
  before: z.string().optional(),
  after: z.string().optional(),
});

export const serverDefinitions = z.object({
  key: z.string(),
  state: z.enum(['pinned', 'changed', 'unknown']).describe('Whether its tools are as they were when first used'),
  pinning: z.enum(['off', 'warn', 'enforce']).describe('The setting in use for this server'),
  problem: z.string().optional().describe('Why they could not be compared'),
  fingerprint: z.string().optional().describe('Of what an approval would pin; absent until it has listed its tools'),
  is_other_server: z.boolean().describe('Its command, address or name is not the one that was pinned'),
  server_changes: z.array(partChange),
  changes: z.array(
    z.object({
      kind: z.enum(['added', 'removed', 'changed', 'renamed']),
      tool: z.string(),
      formerly: z.string().optional().describe('Its former name, if renamed'),
      parts: z.array(partChange),
    }),
  ),
  warnings: z.array(z.object({ tool: z.string(), kind: z.string(), message: z.string() })),
  held_back: z.array(z.string()).describe('Tools that are not listed until they are approved'),
});
