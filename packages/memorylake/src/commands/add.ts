import { basename } from 'node:path';
import type { MemoryRecord } from '../service/memory-record.ts';
import { findFiles } from './find-files.ts';
import { lakeCommand, lineFor, print, shown } from './lake-command.ts';
import { progressBar } from './progress-bar.ts';

/** How many files are on their way at once: one is read while another is embedded. */
const AT_ONCE = 2;

export const add = lakeCommand(
  'add PATH… [--recursive] [--json]',
  'Add files, or what folders hold; exits 1 if any failed',
  { flags: ['recursive'], leastWords: 1 },
  async ({ lake, words, flag }) => {
    const { files, missing, skipped } = await findFiles(words, { recursive: flag('recursive') });
    const json = flag('json');
    const bar = progressBar(files.length, json ? { write: () => {} } : process.stderr);
    const memories: (MemoryRecord & { isDuplicate: boolean })[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < files.length; at = next++) {
        const path = files[at]!;
        const name = basename(path);
        const { memory, isDuplicate } = await lake.add(lake.fileAt(path, name), (progress) => bar.file(name, progress));
        memories[at] = { ...memory, isDuplicate };
        bar.done(name, isDuplicate ? `= ${name}  ${memory.id}  already there as ${memory.name}` : lineFor(memory));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    bar.end();
    const gone = missing.map((path) => ({
      id: null,
      name: path,
      type: null,
      status: 'failed',
      reason: 'There is no such file',
    }));
    if (json) print(JSON.stringify({ memories: [...memories.map(shown), ...gone] }));
    else {
      for (const { name, reason } of gone) process.stderr.write(`✗ ${name}  ${reason}\n`);
      const failed = memories.filter(({ status }) => status === 'failed').length + gone.length;
      const others = skipped > 0 ? `, ${skipped} left out that are no documents` : '';
      process.stderr.write(`${memories.length + gone.length - failed} ready, ${failed} failed${others}\n`);
    }
    return gone.length > 0 || memories.some(({ status }) => status !== 'ready') ? 1 : 0;
  },
);
