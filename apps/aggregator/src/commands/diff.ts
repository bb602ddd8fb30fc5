import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { compare } from '../pins/compare.ts';
import { describeChanges, describeSuspicions } from '../pins/describe-changes.ts';
import { LockFile, lockPath } from '../pins/lock-file.ts';
import { externalUpstreams } from '../upstreams/configured.ts';
import { print, printError } from './cli-io.ts';
import { chosenServers, readDefinitions } from './read-definitions.ts';

export interface PinCommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly configFile: string | undefined;
}

export const diff = ({ env, configFile }: PinCommandOptions): Command<AggregatorConfig> => ({
  usage: 'diff [NAME]',
  summary: 'Show how tool definitions differ from those that were pinned; exit code 1 if they do',
  flags: ['config'],
  async run({ words: [name], config }) {
    const keys = chosenServers(config, name);
    if (!keys) return unknownName(name, config);
    const pins = new LockFile(() => lockPath(configFile, config.dataDir)).read();
    let isSame = true;
    for (const { key, now, problem, suspicions } of await readDefinitions(config, env, keys)) {
      const pinned = Object.hasOwn(pins, key) ? pins[key] : undefined;
      const changes = now && pinned ? describeChanges(compare(pinned, now)) : [];
      const isChanged = now && pinned && (now.hash !== pinned.hash || compare(pinned, now).isOtherServer);
      if (isChanged || problem !== undefined) isSame = false;
      const verdict = problem
        ? `cannot be read: ${problem}`
        : pinned
          ? isChanged
            ? 'changed'
            : 'as pinned'
          : 'not pinned yet';
      print(`${key}: ${verdict}`);
      for (const line of [...changes, ...describeSuspicions(suspicions)]) print(line);
    }
    return isSame ? 0 : 1;
  },
});

export function unknownName(name: string | undefined, config: AggregatorConfig): number {
  const known = [...externalUpstreams(config).keys()].join(', ') || 'none';
  printError(`unknown server "${name}"; servers that can be pinned: ${known}`);
  return 2;
}
