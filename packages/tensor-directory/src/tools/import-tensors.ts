import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { shape } from '../schemas.ts';

export const importTensors = defineTool({
  name: 'import_tensors',
  title: 'Import tensors from a file',
  description:
    'Stores the tensors of a file and returns their uuids: .npy, .npz, .safetensors, PyTorch (.pt, .pth), weights in .onnx, columns in .parquet, ' +
    '.feather and .arrow, HDF5 (.h5), MATLAB (.mat), .png, .jpg, .tiff or .csv. Reads only folders given with --import-root. Several tensors are ' +
    'named after file and key; all are stored or none. Complex numbers become pairs on a last axis. Pickles are never loaded.',
  keywords: 'load, open or read arrays from disk; NumPy, PyTorch checkpoint, HDF5, MATLAB, picture',
  input: z.object({
    path: z.string().min(1).describe('File: absolute, or relative to an import folder'),
    name: z.string().optional().describe("Name instead of the file's"),
    description: z.string().optional().describe('Description of the tensors'),
  }),
  output: z.object({
    tensors: z.array(z.object({ uuid: z.string(), name: z.string(), shape, dtype: z.string() })),
    complex: z
      .array(z.string())
      .optional()
      .describe('Names of those with complex numbers: their last axis holds the real and the imaginary part'),
    skipped: z
      .array(z.string())
      .optional()
      .describe('What else is in the file and is not a tensor of numbers, such as text'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['IMPORT_REFUSED', 'BLANK_NAME', 'STORAGE_FAILED'],
  run: ({ path, name, description }, { service, signal }) => service.importTensors({ path, name, description }, signal),
});
