import { ConfigError } from '@atoll-mcp/server';
import { z } from 'zod';

const TIMEOUT_MS = 30_000;

/** A value that the user provides when installing the server. */
const inputSchema = z.object({
  value: z.string().optional(),
  default: z.string().optional(),
  isRequired: z.boolean().default(false),
  isSecret: z.boolean().default(false),
});
const namedSchema = inputSchema.extend({ name: z.string() });
const argumentSchema = inputSchema.extend({
  type: z.enum(['positional', 'named']),
  name: z.string().optional(),
  valueHint: z.string().optional(),
});

const packageSchema = z.object({
  registryType: z.string(),
  identifier: z.string(),
  version: z.string().optional(),
  transport: z.object({ type: z.string() }),
  runtimeArguments: z.array(argumentSchema).default([]),
  packageArguments: z.array(argumentSchema).default([]),
  environmentVariables: z.array(namedSchema).default([]),
});

const remoteSchema = z.object({ type: z.string(), url: z.string(), headers: z.array(namedSchema).default([]) });

const serverSchema = z.object({
  name: z.string(),
  description: z.string().default(''),
  version: z.string(),
  packages: z.array(packageSchema).default([]),
  remotes: z.array(remoteSchema).default([]),
});

const answerSchema = z.object({ server: serverSchema });
const listSchema = z.object({ servers: z.array(answerSchema) });

export type RegistryInput = z.output<typeof inputSchema>;
export type RegistryArgument = z.output<typeof argumentSchema>;
export type RegistryPackage = z.output<typeof packageSchema>;
export type RegistryServer = z.output<typeof serverSchema>;

/** Reads an MCP registry by the API of the official one. Failures are `ConfigError`s that name the address. */
export class RegistryClient {
  readonly #base: string;

  constructor(address: string) {
    this.#base = address.replace(/\/+$/, '');
  }

  async search(words: string, limit: number): Promise<RegistryServer[]> {
    const query = new URLSearchParams({ search: words, limit: String(limit), version: 'latest' });
    const { servers } = await this.#read(`/v0.1/servers?${query}`, listSchema);
    return servers.map(({ server }) => server);
  }

  /** The latest version of a server. */
  async latest(name: string): Promise<RegistryServer> {
    return (await this.#read(`/v0.1/servers/${encodeURIComponent(name)}/versions/latest`, answerSchema)).server;
  }

  async #read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    let body: unknown;
    try {
      const response = await fetch(`${this.#base}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.status === 404) throw new ConfigError([`the registry ${this.#base} does not have this server`]);
      if (!response.ok) throw new ConfigError([`the registry ${this.#base} answered HTTP ${response.status}`]);
      body = await response.json();
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError([`the registry ${this.#base} could not be read`]);
    }
    const checked = schema.safeParse(body);
    if (!checked.success) throw new ConfigError([`the registry ${this.#base} returned an unsupported response`]);
    return checked.data;
  }
}
