import { describePlace } from '../domain/document.ts';
import { FILTER_FLAGS, filterIn, lakeCommand, print } from './lake-command.ts';

export const search = lakeCommand(
  'search "words" [--collection NAME] [--tag TAG]… [--json]',
  'Search all files',
  { flags: FILTER_FLAGS, minWords: 1 },
  async ({ lake, words, flag, values }) => {
    const { results, mode, notice } = await lake.search({ query: words.join(' '), ...filterIn({ values }) });
    if (flag('json')) {
      const found = results.map(({ memory, summary, score, passages }) => ({
        id: memory.id,
        name: memory.name,
        summary,
        score,
        snippets: passages,
      }));
      print(JSON.stringify({ results: found, n: found.length, mode, ...(notice && { notice }) }));
      return 0;
    }
    if (notice) process.stderr.write(`${notice}\n`);
    if (results.length === 0) print('Nothing was found.');
    results.forEach(({ memory, passages, score }, at) => {
      print(`${at + 1}. ${memory.name}  (${memory.id}, ${score})`);
      for (const { text, place } of passages.slice(0, 2)) {
        const where = describePlace(place);
        print(`   ${where === '' ? '' : `${where}: `}${text.replace(/\s+/g, ' ')}`);
      }
    });
    return 0;
  },
);
