import type { Command } from '@atoll-mcp/server';
import { type AggregatorConfig, configDefinition } from '../config.ts';
import { pairs, parseWords, print, printError } from './cli-io.ts';
import { editConfig } from './edit-config.ts';

/** Commands that change the configuration get its path. */
export type FileCommand = (file: string) => Command<AggregatorConfig>;

const FLAGS = ['env', 'header', 'prefix', 'cwd', 'openapi', 'base-url', 'allow', 'as', 'config'];
const SWITCHES = ['from-registry', 'yes', 'dry-run'];

export const add: FileCommand = (file) => ({
  usage:
    'add NAME URL | add NAME -- COMMAND [ARGS…] | add NAME --openapi FILE|URL [--base-url URL] [--allow PATTERN]   [--env K=V] [--header K=V] [--prefix P] [--cwd DIR] | add NAME --from-registry [--as KEY]',
  summary: 'Add an MCP server to the configuration; a running Atoll applies it immediately',
  flags: [...FLAGS, ...SWITCHES],
  async run({ argv, config }) {
    const { flags, plain, rest } = parseWords(argv, [...FLAGS, 'registry-url', 'data-dir']);
    const [name, url] = plain;
    if (flags.has('from-registry') && name !== undefined && url === undefined) {
      const { addFromRegistry } = await import('./registry/add-from-registry.ts');
      return addFromRegistry({ name, as: flags.get('as')?.at(-1), flags, file, config });
    }
    const [command, ...args] = rest;
    const env = pairs(flags.get('env'));
    const headers = pairs(flags.get('header'));
    const openapi = flags.get('openapi')?.at(-1);
    const targets = [url, command, openapi].filter((target) => target !== undefined);
    if (name === undefined || targets.length !== 1 || !env || !headers) {
      printError(
        'usage: "atoll add NAME URL", "atoll add NAME -- COMMAND ARGS…" or "atoll add NAME --openapi FILE|URL"; --env and --header take NAME=value',
      );
      return 2;
    }
    const prefix = flags.get('prefix')?.at(-1);
    const cwd = flags.get('cwd')?.at(-1);
    const baseUrl = flags.get('base-url')?.at(-1);
    const allow = flags.get('allow');
    const block = {
      ...(command !== undefined && { command, args }),
      ...(url !== undefined && { url }),
      ...(openapi !== undefined && { openapi }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(allow && { allow }),
      ...(Object.keys(env).length > 0 && { env }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(cwd !== undefined && { cwd }),
      ...(prefix !== undefined && { prefix }),
    };
    const checked = configDefinition.schema.safeParse({ mcpServers: { [name]: block } });
    if (!checked.success) {
      for (const { path, message } of checked.error.issues) printError(`${path.slice(1).join('.')}: ${message}`);
      return 2;
    }
    if (url !== undefined && !isAddress(url)) {
      printError(`"${url}" is not a URL; it must begin with http:// or https://`);
      return 2;
    }
    editConfig(file, [{ path: ['mcpServers', name], value: block }]);
    print(Object.hasOwn(config.mcpServers, name) ? `Replaced "${name}" in ${file}` : `Added "${name}" to ${file}`);
    return 0;
  },
});

/** URLs with variables cannot be checked yet. */
const isAddress = (url: string) => url.includes('${') || (/^https?:\/\//i.test(url) && URL.canParse(url));
