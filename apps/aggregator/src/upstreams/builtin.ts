import { join } from 'node:path';
import { type ConfigDefinition, type Logger, loadConfig, type McpApp } from '@atoll-mcp/core';

/** The servers that Atoll brings along, in the order in which they are listed. */
export const BUILTIN_NAMES = ['tensor-directory', 'msty-admin', 'cortex-embeddings', 'memorylake'] as const;
export type BuiltinName = (typeof BUILTIN_NAMES)[number];

export const isBuiltin = (name: string): name is BuiltinName => (BUILTIN_NAMES as readonly string[]).includes(name);

export interface BuiltinOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Each server keeps its things in a folder of its own below, the one it would take when run alone. */
  readonly dataDir: string;
  /** Its own settings, by the names of its own configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly log: Logger;
}

/** Loads a built-in server. Its package is imported only now, so one that is not used costs nothing. */
export type LoadBuiltin = (name: BuiltinName, options: BuiltinOptions) => Promise<McpApp>;

/** A server's configuration as it would be if it ran alone, with what our own file says of it on top. */
export function configFor<Own extends object>(
  definition: ConfigDefinition<Own>,
  name: BuiltinName,
  options: BuiltinOptions,
) {
  const flags = Object.entries(options.settings).flatMap(([key, value]) => {
    const field = definition.fields.find(({ key: own, flag }) => own === key || flag === key);
    return field?.flag === undefined ? [] : [value].flat().map((item) => `--${field.flag}=${String(item)}`);
  });
  const argv = [...flags, `--data-dir=${join(options.dataDir, name)}`];
  return loadConfig(definition, { argv, env: options.env }).config;
}

export const loadBuiltin: LoadBuiltin = async (name, options) => {
  const module = (await import(`@atoll-mcp/${name}`)) as BuiltinModule;
  const create = module[CREATE[name]];
  if (typeof create !== 'function') throw new TypeError(`@atoll-mcp/${name} has no ${CREATE[name]}`);
  return create(configFor(module.configDefinition, name, options), { log: options.log });
};

type BuiltinModule = Record<string, (config: object, options: { log: Logger }) => McpApp> & {
  readonly configDefinition: ConfigDefinition;
};

const CREATE: Record<BuiltinName, string> = {
  'tensor-directory': 'createTensorDirectoryServer',
  'msty-admin': 'createMstyServer',
  'cortex-embeddings': 'createCortexServer',
  memorylake: 'createMemoryLakeServer',
};
