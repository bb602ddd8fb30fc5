import { showListed } from '../schemas.ts';
import { lakeCommand, print } from './lake-command.ts';

export const show = lakeCommand(
  'show ID [--json]',
  'Show a file and its summary',
  { minWords: 1, embed: false, readsOnly: true },
  async ({ lake, words, flag }) => {
    const [memory] = await lake.fetch([words[0]!]);
    if (!memory) {
      process.stderr.write(`Memory "${words[0]}" does not exist; "memorylake list" shows all ids\n`);
      return 1;
    }
    const facts = { ...showListed(memory), source_type: memory.format ?? 'unknown', summary: memory.summary };
    if (flag('json')) print(JSON.stringify(facts));
    else
      for (const [key, value] of Object.entries(facts))
        print(`${key.padEnd(12)}  ${Array.isArray(value) ? value.join(', ') : value}`);
    return 0;
  },
);
