import { lakeCommand, print } from './lake-command.ts';

export const remove = lakeCommand(
  'remove ID… [--json]',
  'Remove files from the lake',
  { minWords: 1, embed: false },
  async ({ lake, words, flag }) => {
    const { deleted, notFound } = await lake.remove(words);
    if (flag('json')) print(JSON.stringify({ deleted, not_found: notFound }));
    else {
      for (const id of deleted) print(`removed ${id}`);
      for (const id of notFound) process.stderr.write(`Memory "${id}" does not exist\n`);
    }
    return notFound.length > 0 ? 1 : 0;
  },
);
