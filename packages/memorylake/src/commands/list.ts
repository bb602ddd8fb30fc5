import { FILTER_FLAGS, filterIn, lakeCommand, print, shown } from './lake-command.ts';

const PAGE = 500;

export const list = lakeCommand(
  'list [--collection NAME] [--tag TAG]… [--json]',
  'List all files',
  { flags: FILTER_FLAGS, embed: false, readsOnly: true },
  async ({ lake, flag, values }) => {
    const memories = [];
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await lake.list({ limit: PAGE, offset, ...filterIn({ values }) });
      memories.push(...items);
      if (items.length < PAGE) break;
    }
    if (flag('json')) print(JSON.stringify({ memories: memories.map(shown) }));
    else if (memories.length === 0) print('The lake is empty. "memorylake add PATH" puts files into it.');
    for (const { id, name, type, status, reason, chunks } of flag('json') ? [] : memories) {
      print(
        `${id}  ${status.padEnd(10)}  ${type.padEnd(10)}  ${name}  ${reason ?? `${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}`}`,
      );
    }
    return 0;
  },
);
