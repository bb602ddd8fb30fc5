import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const importModel = defineTool({
  name: 'import_model',
  title: 'Import a model from a file',
  description:
    'Stores an ONNX model from a .onnx file, with the files beside it that hold its values, and returns its uuid. Only files inside the folders given with ' +
    '--import-root are read. Use get_model to see its inputs and outputs, and run_model to run it.',
  input: z.object({
    path: z.string().min(1).describe('The file: absolute, or relative to an import folder'),
    name: z.string().optional().describe('Name to use instead of that of the file'),
    description: z.string().optional().describe('What the model does'),
  }),
  output: z.object({
    uuid: z.string(),
    name: z.string(),
    message: z.string(),
    warning: z.string().optional().describe('Why the model cannot be run as it is'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['IMPORT_REFUSED', 'BLANK_NAME', 'STORAGE_FAILED'],
  async run({ path, name, description }, { service }) {
    return { ...(await service.importModel({ path, name, description })), message: 'Model imported successfully' };
  },
});
