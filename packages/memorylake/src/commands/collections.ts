import { FILTER_FLAGS, filterIn, lakeCommand, lineFor, print, shown } from './lake-command.ts';

export const collections = lakeCommand(
  'collections [NAME "description"] [--json]',
  'List the collections, or describe one',
  { embed: false },
  async ({ lake, words, flag }) => {
    if (words.length > 1) await lake.describeCollection(words[0]!, words.slice(1).join(' '));
    const found = await lake.collections();
    if (flag('json')) print(JSON.stringify({ collections: found }));
    else for (const { name, description, memories } of found) print(`${name}  ${memories}  ${description}`.trimEnd());
    return 0;
  },
);

export const update = lakeCommand(
  'update ID [--name NAME] [--collection NAME] [--tag TAG]… [--json]',
  'Rename a file, move it to a collection or tag it',
  { flags: ['name=', ...FILTER_FLAGS], minWords: 1 },
  async ({ lake, words, flag, values }) => {
    const memory = await lake.update(words[0]!, { name: values('name').at(-1), ...filterIn({ values }) });
    print(flag('json') ? JSON.stringify(shown(memory)) : lineFor(memory));
    return 0;
  },
);
