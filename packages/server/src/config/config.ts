import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { isTooDeep, parseJson, tryParseJson } from '@atoll-mcp/core';
import { z } from 'zod';
import { fileWords, issueWords } from './config-errors.ts';
import { type ConfigField, fieldsOf } from './config-fields.ts';
import { readFlags } from './flags.ts';
import { plainJson } from './plain-json.ts';
import { withoutComments } from './without-comments.ts';

const require = createRequire(import.meta.url);

export interface ConfigDefinition<Own extends object = object> {
  /** Name of the program and of the server. */
  readonly program: string;
  /** Prefix of its environment variables. */
  readonly prefix: string;
  /** Its folder under the user's data folder of Atoll. */
  readonly folder: string;
  readonly schema: z.ZodType<Omit<CommonConfig, 'dataDir'> & { dataDir?: string | undefined } & Own>;
  readonly fields: readonly ConfigField[];
}

/** Settings that every program has. */
export type CommonConfig = Omit<z.output<z.ZodObject<CommonShape>>, 'dataDir'> & { dataDir: string };

/** Settings that every program has, and the package's own. */
export type Config<Definition> = Definition extends ConfigDefinition<infer Own> ? CommonConfig & Own : never;

export function defineConfig<Shape extends z.ZodRawShape>(options: {
  program: string;
  prefix: string;
  defaultPort: number;
  /** Where it keeps things below Atoll's own folder; its name when left out. */
  folder?: string;
  shape: Shape;
}): ConfigDefinition<z.output<z.ZodObject<Shape>>> {
  const shape = { ...commonShape(options.defaultPort), ...options.shape };
  return {
    program: options.program,
    prefix: options.prefix,
    folder: options.folder ?? options.program,
    // The two halves of a spread shape are the intersection that the type says, which zod cannot see generically.
    schema: z.object(shape) as never,
    fields: fieldsOf(shape, options.prefix),
  };
}

/** Every problem of a configuration, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

interface LoadedConfig<Own extends object> {
  readonly config: CommonConfig & Own;
  readonly words: readonly string[];
}

/** Flags win over environment, environment over the config file, the file over defaults. */
export function loadConfig<Own extends object>(
  definition: ConfigDefinition<Own>,
  source: { argv?: readonly string[]; env?: NodeJS.ProcessEnv; extraFlags?: readonly string[] } = {},
): LoadedConfig<Own> {
  const env = source.env ?? {};
  const flags = readFlags(definition.fields, source.argv ?? [], source.extraFlags);
  const problems = [...flags.problems];
  const file = flags.configFile ?? env[`${definition.prefix}_CONFIG`];
  const values: Record<string, unknown> = file ? readFile(definition.fields, file, problems) : {};
  const places = new Map<string, string>();
  const take = (field: ConfigField, given: Given, place: string) => {
    const value = coerce(field, given);
    if (value === undefined) return void problems.push(`${place}: must be JSON`);
    values[field.key] = value;
    places.set(field.key, place);
  };
  for (const field of definition.fields) {
    for (const name of [...field.env].reverse()) {
      const text = env[name];
      if (text === undefined || text === '') continue;
      take(field, field.kind === 'list' ? text.split(listSeparator(field)) : text, name);
    }
    const given = flags.values.get(field.key);
    if (given !== undefined) take(field, given, `--${field.flag}`);
  }
  const parsed = definition.schema.safeParse(values);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const { path } = issue;
      const [key, ...rest] = path.map(String);
      const given = places.get(key ?? '');
      const place =
        given === undefined && file
          ? `"${path.map(String).join('.')}" in ${file}`
          : [given ?? `--${fieldFlag(definition, key)}`, ...rest].join('.');
      problems.push(`${place}: ${issueWords(issue)}`);
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  const dataDir = resolve(parsed.data.dataDir ?? defaultDataDir(definition.folder, env));
  return { config: { ...parsed.data, dataDir }, words: flags.words };
}

/** The platform's folder for a user's data, and in it our own. */
export function defaultDataDir(folder: string, env: NodeJS.ProcessEnv = {}): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const base =
    process.platform === 'win32'
      ? (env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (env.XDG_DATA_HOME ?? join(home, '.local', 'share'));
  return join(base, 'atoll', folder);
}

const commonShape = (defaultPort: number) => ({
  http: z.boolean().default(false).describe('Serve Streamable HTTP instead of stdio'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; all except loopback need a token'),
  port: z.int().min(0).max(65535).default(defaultPort).describe('Port to listen on; 0 picks a free one'),
  dataDir: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Folder for all data of the program', defaultText: "the platform's user data folder" }),
  authTokenFile: z.string().min(1).optional().describe('File with the bearer token that clients must send'),
  authToken: z.string().min(1).optional().meta({ description: 'The bearer token itself', flag: false, secret: true }),
  allowedHosts: z
    .array(z.string().min(1))
    .default([])
    .describe('Allowed names in Host and Origin headers, besides loopback and the address it listens on'),
  tlsCert: z.string().min(1).optional().describe('Certificate file (PEM) for HTTPS'),
  tlsKey: z.string().min(1).optional().describe('Key file (PEM) for HTTPS'),
  maxBodyBytes: z
    .int()
    .min(1024)
    .default(64 * 1024 * 1024)
    .describe('Maximum size of an HTTP request body'),
  storage: z.string().min(1).optional().meta({
    description: 'Address of a database server (postgres://…) to store everything in, instead of the data folder',
    defaultText: 'the data folder',
    secret: true,
  }),
  storageFile: z
    .string()
    .min(1)
    .optional()
    .describe('File with the storage address, to keep its password out of command lines'),
  blobStorage: z.string().min(1).optional().meta({
    description: 'Address of an object store (s3://bucket/prefix) for large contents',
    defaultText: 'as storage',
  }),
  toolNames: z
    .enum(['original', 'underscore'])
    .default('original')
    .describe('List tools under their original names, or with underscores for clients that reject dots'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Lowest level that is logged to stderr'),
});

type CommonShape = ReturnType<typeof commonShape>;

/** The settings that every program has, with the port and the prefix left open. */
export const sharedFields: readonly ConfigField[] = fieldsOf(commonShape(0), '<PREFIX>');
const sharedKeys = new Set(sharedFields.map(({ key }) => key));

export function isShared({ key }: ConfigField): boolean {
  return sharedKeys.has(key);
}

function readFile(fields: readonly ConfigField[], path: string, problems: string[]): Record<string, unknown> {
  let document: unknown;
  try {
    const text = readFileSync(path, 'utf8');
    // The YAML parser is recursive and slow at depths and sizes that no configuration has.
    const isTooLarge = text.length > MAX_FILE_CHARS;
    if (isTooLarge || isTooDeep(text)) {
      problems.push(`${path}: ${isTooLarge ? 'has more than 8 MB' : 'is nested too deeply'}`);
      return {};
    }
    const bare = isCommentedJson(text) ? withoutComments(text) : text;
    document = plainJson(bare) ?? parseYaml(bare);
  } catch (error) {
    problems.push(`${path}: ${fileWords(error)}`);
    return {};
  }
  if (document === null || typeof document !== 'object' || Array.isArray(document)) {
    problems.push(`${path}: must hold settings by name`);
    return {};
  }
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(document)) {
    const field = fields.find(({ key, flag }) => name === key || name === flag);
    if (field) values[field.key] = value;
    else if (name !== '$schema') problems.push(`"${clip(name)}" in ${path}: unknown setting`);
  }
  return values;
}

/** Loaded only for a file that needs it: it takes memory. */
function parseYaml(text: string): unknown {
  const { parse } = require('yaml') as typeof import('yaml');
  return parse(text);
}

/** YAML would read a comment of such a file as part of a name. */
function isCommentedJson(text: string): boolean {
  if (!text.includes('//') && !text.includes('/*')) return false;
  try {
    parseJson(withoutComments(text));
    return true;
  } catch {
    return false;
  }
}

const MAX_FILE_CHARS = 8_000_000;

const clip = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

type Given = string | readonly string[] | boolean;

/** What a text means for a field; undefined when it had to be JSON and is not. */
function coerce(field: ConfigField, given: Given): unknown {
  if (field.kind === 'list') return [given].flat();
  if (typeof given !== 'string') return given;
  if (field.kind === 'object') return tryParseJson(given);
  if (field.kind === 'number') return given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : given;
  if (field.kind === 'boolean')
    return /^(true|1|yes|on)$/i.test(given) ? true : /^(false|0|no|off)$/i.test(given) ? false : given;
  return given;
}

/** Lists of folders are separated as in PATH, all others by commas. */
const listSeparator = (field: ConfigField) => (/(root|dir|path)$/i.test(field.key) ? delimiter : ',');

const fieldFlag = (definition: ConfigDefinition, key: string | undefined) =>
  definition.fields.find((field) => field.key === key)?.flag ?? key;
