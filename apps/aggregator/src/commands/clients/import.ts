import { isDeepStrictEqual } from 'node:util';
import type { Command } from '@atoll-mcp/server';
import { shownSettings } from '../../admin/server-view.ts';
import { type AggregatorConfig, configDefinition, upstreamSchema } from '../../config.ts';
import { mayWrite, parseWords, print, printError } from '../cli-io.ts';
import { type ConfigChange, editConfig } from '../edit-config.ts';
import { CLIENT_NAMES, type ClientName } from './clients.ts';
import { type FoundServer, serversOf } from './read-client.ts';

export interface ImportOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The configuration to write to. */
  readonly file: string;
}

export const importServers = ({ env, cwd, file }: ImportOptions): Command<AggregatorConfig> => ({
  usage: `import ${CLIENT_NAMES.join('|')}|all [--yes] [--dry-run]`,
  summary: "Take over the servers of a client's configuration; --dry-run only shows them",
  flags: ['yes', 'dry-run', 'config'],
  async run({ argv, config }) {
    const { plain, flags } = parseWords(argv, ['config']);
    const clients = CLIENT_NAMES.filter((name) => name === plain[0] || plain[0] === 'all');
    if (clients.length === 0) {
      printError(`unknown client; choose one of ${CLIENT_NAMES.join(', ')}, or all`);
      return 2;
    }
    const { found, isComplete } = readAll(clients, env, cwd);
    const changes = choose(found, config);
    if (changes.length === 0) {
      print('There is nothing to import.');
      return isComplete ? 0 : 1;
    }
    const refusal = await mayWrite(flags);
    if (refusal !== undefined) return isComplete ? refusal : 1;
    editConfig(file, changes);
    print(`Written to ${file}. The clients keep their own entries; remove those that Atoll serves now.`);
    return isComplete ? 0 : 1;
  },
});

function readAll(clients: readonly ClientName[], env: NodeJS.ProcessEnv, cwd: string) {
  const found: FoundServer[] = [];
  let isComplete = true;
  for (const client of clients) {
    try {
      found.push(...serversOf(client, env, cwd));
    } catch {
      printError(`the configuration of ${client} is not JSON and was left out`);
      isComplete = false;
    }
  }
  return { found, isComplete };
}

/** What is to be written; says of every server what becomes of it. */
function choose(found: readonly FoundServer[], { mcpServers }: AggregatorConfig): ConfigChange[] {
  const chosen = new Map<string, ConfigChange>();
  for (const { name, file, settings, problem, secrets } of found) {
    const why = problem ?? refusal(name, settings ?? {});
    const known = Object.hasOwn(mcpServers, name) ? mcpServers[name] : chosen.get(name)?.value;
    if (why !== undefined) {
      print(`  "${name}" of ${file}: left out, ${why}`);
    } else if (known !== undefined) {
      const isSame = isDeepStrictEqual(upstreamSchema.parse(known), upstreamSchema.parse(settings));
      print(
        `  "${name}" of ${file}: left out, there is ${isSame ? 'the same' : 'another'} server of this name already`,
      );
    } else {
      chosen.set(name, { path: ['mcpServers', name], value: settings });
      print(`+ "${name}" of ${file}: ${JSON.stringify(shownSettings(upstreamSchema.parse(settings)))}`);
      for (const secret of secrets) print(`    needs a secret: run "atoll secret set ${secret}"`);
    }
  }
  return [...chosen.values()];
}

/** Why the configuration cannot have such a server. */
function refusal(name: string, settings: object): string | undefined {
  if (isAtoll(settings)) return 'it is Atoll itself';
  const checked = configDefinition.schema.safeParse({ mcpServers: { [name]: settings } });
  return checked.success ? undefined : checked.error.issues.map(({ message }) => message).join('; ');
}

function isAtoll(settings: { command?: unknown; args?: unknown }): boolean {
  const words = [settings.command, ...(Array.isArray(settings.args) ? settings.args : [])].map(String);
  return words.some((word) =>
    /(^|[\\/])atoll(\.cmd|\.exe)?$|@atoll-mcp\/aggregator|aggregator[\\/]dist[\\/]cli\.js$/.test(word),
  );
}
