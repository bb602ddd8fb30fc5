import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../../config.ts';
import { visible } from '../../pins/suspicions.ts';
import { parseWords, print, printError } from '../cli-io.ts';

export const search: Command<AggregatorConfig> = {
  usage: 'search WORDS [--json]',
  summary: 'Search the MCP registry for servers',
  flags: ['json', 'config'],
  async run({ words, argv, config }) {
    const { flags } = parseWords(argv, []);
    if (words.length === 0) {
      printError('usage: "atoll search WORDS"');
      return 2;
    }
    const { RegistryClient } = await import('../../registry/registry-client.ts');
    const servers = await new RegistryClient(config.registryUrl).search(words.join(' '), 30);
    if (flags.has('json')) {
      print(
        JSON.stringify({ servers: servers.map(({ name, version, description }) => ({ name, version, description })) }),
      );
      return 0;
    }
    for (const { name, version, description } of servers) {
      print(`${visible(name)} ${visible(version)}`);
      print(`    ${visible(description).replaceAll('\n', ' ')}`);
    }
    print(servers.length === 0 ? 'Nothing was found.' : 'Add one with "atoll add NAME --from-registry".');
    return 0;
  },
};
