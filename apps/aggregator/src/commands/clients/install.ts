import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../../config.ts';
import { mayWrite, parseWords, print, printError } from '../cli-io.ts';
import { CLIENT_NAMES } from './clients.ts';
import { type InstallOptions, planInstall, writeInstall } from './install-client.ts';

export const install = (options: InstallOptions): Command<AggregatorConfig> => ({
  usage: `install ${CLIENT_NAMES.join('|')} [--yes] [--dry-run]`,
  summary: "Write Atoll into a client's configuration, after showing the change and keeping a copy",
  flags: ['yes', 'dry-run'],
  async run({ words: [wanted], argv }) {
    const { flags } = parseWords(argv, []);
    const name = CLIENT_NAMES.find((known) => known === wanted);
    if (!name) {
      printError(`unknown client; choose one of ${CLIENT_NAMES.join(', ')}`);
      return 2;
    }
    const plan = planInstall(name, options);
    const { place, entry, before, after } = plan;
    if (after === undefined) {
      printError(
        `${place.path} is not JSON that can be edited and was left unchanged. Add this under "${place.key}" yourself:`,
      );
      print(JSON.stringify({ atoll: entry }, null, 2));
      return 1;
    }
    if (after === before) {
      print(`${place.title} already has Atoll (${place.path})`);
      return 0;
    }
    print(`${place.path}:`);
    for (const line of changedLines(before, after)) print(line);
    const refusal = await mayWrite(flags);
    if (refusal !== undefined) return refusal;
    const written = writeInstall(plan, options.now);
    if (!written) {
      printError(`${place.path} was changed meanwhile, so nothing was written; run the command again`);
      return 1;
    }
    print(
      `Written.${written.backup ? ` The file as it was is ${written.backup}` : ''} Restart ${place.title} to use it.`,
    );
    return 0;
  },
});

/** Removed and added lines, without context. */
function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before, after].map((text) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))) as [
    string[],
    string[],
  ];
  let start = 0;
  while (start < old.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
  ];
}
