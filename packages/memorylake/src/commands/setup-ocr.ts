import { pullFiles } from '@atoll-mcp/cortex-embeddings';
import { hasOcrModels, ocrFolder, ocrModels } from '../backends/ocr/model-files.ts';
import { type LakeCommand, print } from './lake-command.ts';
import { reportProblem } from './report-problem.ts';

/** Fetches the models that recognise text in images and scans. Nothing else of the lake downloads anything. */
export const setupOcr: LakeCommand = {
  usage: 'setup-ocr [--json]',
  summary: 'Fetch the models that recognise text in images and scans (27 MB), once',
  flags: ['json'],
  usesDataDir: 'write',
  async run({ argv, config: { dataDir } }) {
    const json = argv.includes('--json');
    const folder = ocrFolder(dataDir);
    try {
      if (!hasOcrModels(folder)) {
        await pullFiles(ocrModels, folder, { onProgress: ({ step }) => process.stderr.write(`${step}\n`) });
      }
    } catch (error) {
      return reportProblem(error, json);
    }
    print(json ? JSON.stringify({ ocr: { models: ocrModels.name, folder } }) : `${ocrModels.name} is in ${folder}`);
    return 0;
  },
};
