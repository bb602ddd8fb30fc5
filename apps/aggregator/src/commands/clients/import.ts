import type { Command } from '@atoll-mcp/server';
import { shownSettings } from '../../admin/server-view.ts';
import { type AggregatorConfig, upstreamSchema } from '../../config.ts';
import { mayWrite, parseWords, print, printError } from '../cli-io.ts';
import { type ConfigChange, editConfig } from '../edit-config.ts';
import { CLIENT_NAMES } from './clients.ts';
import { importable, readClients } from './importable.ts';
import type { FoundServer } from './read-client.ts';

interface ImportOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The configuration to write to. */
  readonly file: string;
}

export const importServers = ({ env, cwd, file }: ImportOptions): Command<AggregatorConfig> => ({
  usage: `import ${CLIENT_NAMES.join('|')}|all [--yes] [--dry-run]`,
  summary: "Take over the servers of a client's configuration; --dry-run only shows them",
  flags: ['yes', 'dry-run', 'config'],
  async run({ words: [wanted], argv, config }) {
    const { flags } = parseWords(argv, []);
    const clients = CLIENT_NAMES.filter((name) => name === wanted || wanted === 'all');
    if (clients.length === 0) {
      printError(`unknown client; choose one of ${CLIENT_NAMES.join(', ')}, or all`);
      return 2;
    }
    const { found, unreadable } = readClients(clients, env, cwd);
    for (const client of unreadable) printError(`the configuration of ${client} is not JSON and was left out`);
    const isComplete = unreadable.length === 0;
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

/** What is to be written; says of every server what becomes of it. */
function choose(found: readonly FoundServer[], config: AggregatorConfig): ConfigChange[] {
  return importable(found, config).flatMap((server) => {
    const { name, file, secrets } = server;
    if ('leftOut' in server) {
      print(`  "${name}" of ${file}: left out, ${server.leftOut}`);
      return [];
    }
    print(`+ "${name}" of ${file}: ${JSON.stringify(shownSettings(upstreamSchema.parse(server.settings)))}`);
    for (const secret of secrets) print(`    needs a secret: run "atoll secret set ${secret}"`);
    return [{ path: ['mcpServers', name], value: server.settings }];
  });
}
