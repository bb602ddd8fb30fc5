import type { AggregatorConfig } from '../../config.ts';
import { visible } from '../../pins/suspicions.ts';
import { settingsOf } from '../../registry/server-settings.ts';
import type { FileCommand } from '../add.ts';
import { mayWrite, parseWords, print, printError } from '../cli-io.ts';
import { type ConfigChange, editConfig } from '../edit-config.ts';

export const upgrade: FileCommand = (file) => ({
  usage: 'upgrade [NAME] [--yes] [--dry-run]',
  summary: 'Bring servers that were added from the registry to their latest versions',
  flags: ['yes', 'dry-run', 'config'],
  async run({ words: [name], argv, config }) {
    const { flags } = parseWords(argv, []);
    const known = fromRegistry(config);
    const chosen = name === undefined ? known : known.filter(({ key }) => key === name);
    if (name !== undefined && chosen.length === 0) {
      printError(
        `"${name}" was not added from the registry; those are: ${known.map(({ key }) => key).join(', ') || 'none'}`,
      );
      return 2;
    }
    const { RegistryClient } = await import('../../registry/registry-client.ts');
    const client = new RegistryClient(config.registryUrl);
    const changes: ConfigChange[] = [];
    for (const { key, name, version } of chosen) {
      const latest = await client.latest(name);
      const settings = settingsOf(latest, key)?.settings;
      if (!settings || latest.version === version) {
        print(`"${key}" stays at ${visible(version)}`);
        continue;
      }
      print(`"${key}": ${visible(version)} -> ${visible(latest.version)}`);
      // Variables and headers may hold what a person has filled in.
      for (const field of ['command', 'args', 'url', 'registry']) {
        changes.push({ path: ['mcpServers', key, field], value: settings[field] });
      }
    }
    if (changes.length === 0) return 0;
    const refusal = await mayWrite(flags);
    if (refusal !== undefined) return refusal;
    editConfig(file, changes);
    print(`Written to ${file}. "atoll diff" shows what changed in their tools.`);
    return 0;
  },
});

function fromRegistry({ mcpServers }: AggregatorConfig) {
  return Object.entries(mcpServers).flatMap(([key, { registry }]) => (registry ? [{ key, ...registry }] : []));
}
