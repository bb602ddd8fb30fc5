import { type Config, defineConfig } from '@atoll-mcp/server';
import { z } from 'zod';
import { ACCOUNT_NAME } from './login/account.ts';
import { BUILTIN_NAMES } from './upstreams/builtin.ts';

const names = z.array(z.string().min(1));
const confirmWrites = z.enum(['ask', 'allow', 'deny']);
const pinning = z.enum(['off', 'warn', 'enforce']);

/** Records leave out a key of the one name that is excluded, so such a server would silently be missing. */
export const SERVER_NAME = [
  /^(?!__proto__$)[\w .@-]{1,60}$/,
  'must be 1 to 60 letters, digits, spaces or . @ _ -, and not __proto__',
] as const;

/** Listing options and timeouts of any upstream. */
const commonFields = {
  prefix: z.string().max(40).optional().describe('Put before its names; "" leaves them as they are'),
  allow: names.optional().describe('Only these of its tools and prompts, by its own names; * stands for anything'),
  deny: names.optional().describe('All but these'),
  rename: z.record(z.string(), z.string().min(1)).optional().describe('Own name → listed name'),
  override: z
    .record(
      z.string(),
      z.object({
        title: z.string().optional(),
        description: z.string().optional(),
        annotations: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional()
    .describe('Own name of a tool → title, description or annotations to list it with'),
  disabled: z.boolean().default(false).describe('Keep it in the file but do not start it'),
  timeoutMs: z.int().min(0).default(300_000).describe('Longest time for a call without progress; 0 is no limit'),
  startTimeoutMs: z.int().min(100).default(30_000).describe('Longest time to start and to list'),
  idleTimeoutMs: z
    .int()
    .min(0)
    .default(0)
    .describe('Stop it when unused for so long; the next call starts it; 0 never'),
  confirmWrites: confirmWrites.optional().describe('What run_tools does with calls of its tools that write'),
};

const account = z.string().regex(ACCOUNT_NAME, 'must be 1 to 60 letters, digits or . @ _ -');
const accounts = z.record(z.string(), account);

/** Settings beyond the common ones go to the built-in server itself, by the names of its own configuration. */
export const builtinSchema = z.looseObject(commonFields);

// Loose, because these blocks are copied from other programs, which have fields of their own.
export const upstreamSchema = z
  .looseObject({
    command: z.string().min(1).optional().describe('Program that speaks MCP on its stdin and stdout'),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}).describe('Set for the program; a variable in braces is expanded'),
    inheritEnv: names.default([]).describe('Further variables that the program inherits, by name; "*" means all'),
    cwd: z.string().min(1).optional(),
    url: z.string().min(1).optional().describe('Address of a server that speaks Streamable HTTP'),
    headers: z.record(z.string(), z.string()).default({}),
    account: account.optional().describe('Which login it uses: ACCOUNT of "atoll login NAME --account ACCOUNT"'),
    openapi: z.string().min(1).optional().describe('OpenAPI document, a file or URL, of an HTTP API to list as tools'),
    baseUrl: z.string().min(1).optional().describe('Address of that API, instead of the one in the document'),
    auth: z
      .record(z.string(), z.string())
      .default({})
      .describe('Security scheme of the document → key, token, or "user:password"'),
    allowPrivateAddress: z
      .boolean()
      .default(false)
      .describe('Connect even if its public host name resolves to a private address'),
    followRedirects: z
      .boolean()
      .default(false)
      .describe('Follow redirects of an API; another origin gets no credentials, and a private one no request'),
    registry: z
      .object({ name: z.string(), version: z.string() })
      .optional()
      .describe('Where it was added from, for "atoll upgrade"'),
    era: z.enum(['auto', 'legacy', 'modern']).default('auto').describe('Protocol era of the handshake'),
    maxMessageBytes: z.int().min(1024).default(64_000_000),
    pinning: pinning.optional().describe('As the setting of this name, for this server alone; "off" for all wins'),
    ...commonFields,
  })
  .refine(
    ({ command, url, openapi }) => [command, url, openapi].filter((each) => each !== undefined).length === 1,
    'needs either "command" or "url", or "openapi"',
  );

/** A misspelt name would otherwise silently disable a server. */
const onlyBuiltins = z.superRefine<Record<string, unknown>>((servers, context) => {
  for (const name of Object.keys(servers)) {
    if (BUILTIN_NAMES.some((known) => known === name)) continue;
    const message = `is not a built-in server (${BUILTIN_NAMES.join(', ')}); other servers belong under "mcpServers"`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
});

const modeSchema = z.enum(['full', 'search', 'code']);
const runTools = z.boolean();
const maxResultBytes = z.int().min(0).max(64_000_000);

const viewSchema = z.object({
  servers: names.optional().describe('Only these upstreams, by key'),
  allow: names.optional().describe('Only these names, as listed; * stands for anything'),
  deny: names.optional(),
  mode: modeSchema.optional(),
  runTools: runTools.optional(),
  maxResultBytes: maxResultBytes.optional(),
  outputSchemas: z.boolean().optional().describe('Whether tools are listed with the schemas of their answers'),
  collections: names.optional().describe('The only collections of the built-in memorylake that are there'),
  accounts: accounts.optional().describe('Server → which of its logins is used here'),
});

const tokenSchema = z
  .object({
    name: z.string().min(1).describe('Name of the caller, for the audit log and rate limits'),
    token: z.string().min(1).optional().describe('The token, preferably as a variable in braces'),
    tokenFile: z.string().min(1).optional(),
    views: names.optional().describe('The only views it may open; the first is what it sees at /mcp'),
    collections: names.optional().describe('The only collections of the built-in memorylake it may use'),
    accounts: accounts.optional().describe('Server → which of its logins is used for this caller'),
    admin: z.boolean().default(false).describe('May administer: see all calls, add and change servers'),
  })
  .refine(
    ({ token, tokenFile }) => (token === undefined) !== (tokenFile === undefined),
    'needs either "token" or "tokenFile"',
  );

const oauthSchema = z.object({
  issuer: z.url().describe('Who signs the tokens'),
  audience: z.string().min(1).describe('Expected audience: the public URL of /mcp'),
  jwksUri: z.url().optional().describe('URL of its keys; discovered from the issuer by default'),
  scopes: names.default([]).describe('Scopes that every token must have'),
  viewClaim: z.string().min(1).optional().describe('Claim that names the views a token may open'),
});

export const configDefinition = defineConfig({
  program: 'atoll',
  folder: '',
  prefix: 'ATOLL',
  defaultPort: 7410,
  shape: {
    builtin: z
      .boolean()
      .default(true)
      .describe('Run the four servers of Atoll in process; --no-builtin leaves them out'),
    dashboard: z.boolean().default(true).describe('Serve the page at / on HTTP; --no-dashboard leaves it out'),
    mode: modeSchema
      .default('full')
      .describe('List every tool, only those that find and call the rest, or those for programs that call them'),
    runTools: runTools.default(false).describe('List run_tools in every mode: programs that call tools; "code" has it'),
    callsPerProgram: z.int().min(1).max(100_000).default(1_000).describe('Maximum calls that one program makes'),
    confirmWrites: confirmWrites.optional().meta({
      description: 'Calls in programs of tools not marked read-only: ask the user, allow or deny them',
      defaultText: 'ask for servers under mcpServers, allow for built-in ones',
    }),
    maxResultBytes: maxResultBytes.optional().meta({
      description: 'Larger answers are kept for read_result, and their head and shape are returned; 0 means no limit',
      defaultText: '65536 in search and code mode, else 0',
    }),
    outputSchemas: z
      .boolean()
      .default(true)
      .describe('List tools with the schemas of their answers; false for clients that send them to the model'),
    servers: z
      .record(z.string(), builtinSchema)
      .check(onlyBuiltins)
      .optional()
      .meta({ description: 'Which built-in servers run, and how', flag: false, defaultText: 'all four' }),
    mcpServers: z
      .record(z.string().regex(...SERVER_NAME), upstreamSchema)
      .default({})
      .meta({ description: 'Other MCP servers, in the form every client uses', flag: false }),
    views: z
      .record(z.string().regex(/^[\w-]{1,40}$/, 'must be letters, digits, _ or -'), viewSchema)
      .default({})
      .meta({ description: 'Named subsets of servers and tools, each at /mcp/<view>', flag: false }),
    tokens: z.array(tokenSchema).default([]).meta({ description: 'Callers, each with its own token', flag: false }),
    oauth: oauthSchema.optional().meta({ description: 'Accept tokens of an OAuth 2.1 issuer', flag: false }),
    pinning: pinning
      .default('warn')
      .describe(
        'When tool definitions of other servers change: tell in log and status, or also hold back what is new or changed until it is approved',
      ),
    registryUrl: z
      .url()
      .default('https://registry.modelcontextprotocol.io')
      .describe('MCP registry that "atoll search" and "atoll add --from-registry" ask'),
    keychain: z
      .boolean()
      .default(true)
      .describe('Keep secrets in the keychain of the system; --no-keychain keeps them in a file of mode 0600'),
    callsPerMinute: z.int().min(0).default(0).describe('Maximum calls per client and minute; 0 means no limit'),
    auditFile: z
      .string()
      .min(1)
      .optional()
      .describe('File that gets one line per call: caller, tool, duration, outcome'),
    auditArguments: z.boolean().default(false).describe('Include call arguments in the audit file, secrets redacted'),
    admin: z
      .boolean()
      .default(true)
      .describe('Let the page administer: anyone on this machine without tokens, else tokens with "admin"'),
    activity: z
      .int()
      .min(0)
      .max(100_000)
      .default(1_000)
      .describe('How many of the latest calls the page can show, kept in memory; 0 keeps none'),
    activityBodies: z
      .boolean()
      .default(true)
      .describe('Keep the arguments and answers of these calls too, shortened and with secrets redacted'),
    inheritEnv: names.default([]).describe('Variables that every stdio server inherits beside the usual ones, by name'),
    learnFromCalls: z
      .boolean()
      .default(true)
      .describe('Let calls that succeed after a search rank their tools higher; kept as hashes in the data folder'),
    pageSize: z.int().min(1).default(1_000).describe('Maximum entries per list page'),
    listWaitMs: z
      .int()
      .min(0)
      .default(800)
      .describe('How long a list request waits for servers that start for the first time'),
  },
});

export type AggregatorConfig = Config<typeof configDefinition>;
export type UpstreamConfig = z.output<typeof upstreamSchema>;
export type BuiltinConfig = z.output<typeof builtinSchema>;
export type ViewConfig = z.output<typeof viewSchema>;
export type TokenConfig = z.output<typeof tokenSchema>;
export type OAuthConfig = z.output<typeof oauthSchema>;
