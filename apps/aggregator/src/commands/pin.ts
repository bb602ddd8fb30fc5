import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { compare } from '../pins/compare.ts';
import type { PinnedServer } from '../pins/definition.ts';
import { describeChanges, describeSuspicions } from '../pins/describe-changes.ts';
import { LockFile, lockPath } from '../pins/lock-file.ts';
import { externalUpstreams } from '../upstreams/configured.ts';
import { print, printError } from './cli-io.ts';
import { type PinCommandOptions, unknownName } from './diff.ts';
import { chosenServers, readDefinitions } from './read-definitions.ts';

export const pin = ({ env, configFile }: PinCommandOptions): Command<AggregatorConfig> => ({
  usage: 'pin [NAME]',
  summary: 'Approve the tool definitions of a server, or of all, as they are now',
  flags: ['config'],
  async run({ words: [name], config }) {
    const keys = chosenServers(config, name);
    if (!keys) return unknownName(name, config);
    const lockFile = new LockFile(() => lockPath(configFile, config.dataDir));
    const pins = lockFile.read();
    const approved: Record<string, PinnedServer | undefined> = {};
    let isComplete = true;
    for (const { key, now, problem, suspicions } of await readDefinitions(config, env, keys)) {
      if (!now) {
        printError(`"${key}" was not pinned: ${problem}`);
        isComplete = false;
        continue;
      }
      approved[key] = now;
      const pinned = Object.hasOwn(pins, key) ? pins[key] : undefined;
      print(`${key}: ${Object.keys(now.tools).length} tools pinned`);
      for (const line of [
        ...(pinned ? describeChanges(compare(pinned, now)) : []),
        ...describeSuspicions(suspicions),
      ]) {
        print(line);
      }
    }
    const known = externalUpstreams(config);
    const gone = name === undefined ? Object.keys(pins).filter((key) => !known.has(key)) : [];
    for (const key of gone) {
      approved[key] = undefined;
      print(`${key}: no longer configured, its pin is removed`);
    }
    if (Object.keys(approved).length > 0) {
      lockFile.update(approved);
      print(`Written to ${lockFile.path}`);
    }
    return isComplete ? 0 : 1;
  },
});
