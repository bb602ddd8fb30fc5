import { basename } from 'node:path';
import { Semaphore } from '@atoll-mcp/core';
import { findFiles } from './find-files.ts';
import {
  FILTER_FLAGS,
  failedLine,
  filterIn,
  lakeCommand,
  lineFor,
  notAdded,
  print,
  refusalOf,
  shown,
} from './lake-command.ts';
import { progressBar } from './progress-bar.ts';

/** Files read at the same time; vectors of earlier files are computed meanwhile. */
const CONCURRENCY = 128;

export const add = lakeCommand(
  'add PATH… [--recursive] [--images] [--collection NAME] [--tag TAG]… [--json]',
  'Add files, or what folders and archives hold; exits 1 if any failed',
  { flags: ['recursive', 'images', ...FILTER_FLAGS], minWords: 1 },
  async ({ lake, words, flag, values }) => {
    const { files, archives, missing, closed, skipped } = await findFiles(words, {
      recursive: flag('recursive'),
      images: flag('images'),
      archives: flag('recursive'),
    });
    const json = flag('json');
    const bar = progressBar(files.length + archives.length, json ? { write: () => {} } : process.stderr);
    const added: (ReturnType<typeof shown> | ReturnType<typeof notAdded>)[] = [];
    const slots = new Semaphore(CONCURRENCY);
    const addOne = async (path: string, at: number): Promise<void> => {
      const name = basename(path);
      try {
        const file = { ...lake.fileAt(path, name), ...filterIn({ values }) };
        const steps = await slots.run(async () => {
          const begun = await lake.addInSteps(file, (progress) => bar.file(name, progress));
          await begun.searchable;
          return begun;
        });
        const { memory, isDuplicate } = await steps.settled;
        added[at] = shown(memory);
        bar.done(name, isDuplicate ? `= ${name}  ${memory.id}  already there as ${memory.name}` : lineFor(memory));
      } catch (error) {
        const reason = refusalOf(error);
        added[at] = notAdded(name, reason);
        bar.done(name, failedLine(name, reason));
      }
    };
    await Promise.all(files.map(addOne));
    for (const path of archives) {
      const name = basename(path);
      try {
        const inside = await lake.addArchive(path, name, filterIn({ values }));
        added.push(...inside.map(({ memory }) => shown(memory)));
        bar.done(name, [`${name}:`, ...inside.map(({ memory }) => `  ${lineFor(memory)}`)].join('\n'));
      } catch (error) {
        const reason = refusalOf(error);
        added.push(notAdded(name, reason));
        bar.done(name, failedLine(name, reason));
      }
    }
    bar.end();
    const unseen = [
      ...missing.map((path) => notAdded(path, 'File not found')),
      ...closed.map((path) => notAdded(path, 'This folder cannot be read')),
    ];
    const memories = [...added, ...unseen];
    if (json) print(JSON.stringify({ memories }));
    else {
      for (const { name, reason } of unseen) process.stderr.write(`${failedLine(name, reason)}\n`);
      const failed = memories.filter(({ status }) => status === 'failed').length;
      const others = skipped > 0 ? `, ${skipped} left out that are not documents` : '';
      process.stderr.write(`${memories.length - failed} ready, ${failed} failed${others}\n`);
    }
    return memories.some(({ status }) => status !== 'ready') ? 1 : 0;
  },
);
