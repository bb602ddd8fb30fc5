import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const importModel = defineTool({
  name: 'import_model',
  title: 'Import a model from a file',
  description:
    'Stores an ONNX model from a .onnx file and the files beside it that hold its values, and returns its uuid. Reads only folders given with ' +
    '--import-root. See its inputs with get_model, run it with run_model.',
  keywords: 'load, open or read an ONNX network from disk',
  input: z.object({
    path: z.string().min(1).describe('File: absolute, or relative to an import folder'),
    name: z.string().optional().describe("Name instead of the file's"),
    description: z.string().optional().describe('What it does'),
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
