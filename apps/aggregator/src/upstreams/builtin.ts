import { join } from 'node:path';
import type { Logger, McpApp } from '@atoll-mcp/core';
import { type ConfigDefinition, ConfigError, loadConfig } from '@atoll-mcp/server';
import type { SharedEmbedder } from './shared-embedder.ts';

/** The built-in servers, in listing order. */
export const BUILTIN_NAMES = ['tensor-directory', 'msty-admin', 'cortex-embeddings', 'memorylake'] as const;
export type BuiltinName = (typeof BUILTIN_NAMES)[number];

interface BuiltinOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Each server uses a subfolder, the same one it would use on its own. */
  readonly dataDir: string;
  /** Its own settings, by the names of its own configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** URL of shared storage used instead of local files. */
  readonly storage?: string | undefined;
  readonly blobStorage?: string | undefined;
  readonly embedder: SharedEmbedder;
  readonly log: Logger;
}

/** Creates a built-in server. Its package is imported on demand, so unused servers cost nothing. */
export function loadBuiltin(name: BuiltinName, options: BuiltinOptions): Promise<McpApp> {
  return LOADERS[name](options);
}

/** The names of a built-in server's tools, read from its contract without starting it. */
export async function builtinToolNames(name: BuiltinName): Promise<readonly string[]> {
  const { contract } = await CONTRACTS[name]();
  return contract.tools.map((tool) => tool.name);
}

const CONTRACTS = {
  'tensor-directory': () => import('@atoll-mcp/tensor-directory'),
  'msty-admin': () => import('@atoll-mcp/msty-admin'),
  'cortex-embeddings': () => import('@atoll-mcp/cortex-embeddings'),
  memorylake: () => import('@atoll-mcp/memorylake'),
};

const LOADERS: Readonly<Record<BuiltinName, (options: BuiltinOptions) => Promise<McpApp>>> = {
  'tensor-directory': async (options) => {
    const { configDefinition, createTensorDirectoryServer } = await import('@atoll-mcp/tensor-directory');
    return createTensorDirectoryServer(configFor(configDefinition, 'tensor-directory', options), { log: options.log });
  },
  'msty-admin': async (options) => {
    const { configDefinition, createMstyServer } = await import('@atoll-mcp/msty-admin');
    return createMstyServer(configFor(configDefinition, 'msty-admin', options), { log: options.log });
  },
  'cortex-embeddings': async (options) => {
    const { configDefinition, createMcpServer } = await import('@atoll-mcp/cortex-embeddings');
    const config = configFor(configDefinition, 'cortex-embeddings', options);
    return createMcpServer(config, { log: options.log, embedder: await options.embedder.get(options) });
  },
  memorylake: async (options) => {
    const { configDefinition, createMemoryLakeServer } = await import('@atoll-mcp/memorylake');
    const config = configFor(configDefinition, 'memorylake', options);
    const embedder = await options.embedder.get(options);
    const multilingual = await options.embedder.multilingual(options);
    const others = multilingual && multilingual !== embedder ? { multilingual } : {};
    return createMemoryLakeServer(config, { log: options.log, embedder, ...others });
  },
};

/** A server's standalone configuration, overridden by the aggregator's settings for it. */
export function configFor<Own extends object>(
  definition: ConfigDefinition<Own>,
  name: BuiltinName,
  options: Pick<BuiltinOptions, 'env' | 'dataDir' | 'settings' | 'storage' | 'blobStorage'>,
) {
  const flags: string[] = [];
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const [key, value] of Object.entries(options.settings)) {
    const field = definition.fields.find(({ key: own, flag }) => own === key || flag === key);
    if (!field) problems.push(`unknown setting "servers.${name}.${key}"`);
    else if (field.flag === undefined) secrets[field.env[0]!] = String(value);
    else if (field.kind === 'object') flags.push(`--${field.flag}=${JSON.stringify(value)}`);
    else flags.push(...[value].flat().map((item) => `--${field.flag}=${String(item)}`));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const argv = [...flags, `--data-dir=${join(options.dataDir, name)}`];
  const { storage, blobStorage } = options;
  const shared = {
    ...(storage !== undefined && { [`${definition.prefix}_STORAGE`]: storage }),
    ...(blobStorage !== undefined && { [`${definition.prefix}_BLOB_STORAGE`]: blobStorage }),
  };
  return loadConfig(definition, { argv, env: { ...shared, ...options.env, ...secrets } }).config;
}
