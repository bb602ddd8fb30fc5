import { unchecked } from '@atoll-mcp/core';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { errorField } from '../envelope.ts';
import { dtype, tags } from '../schemas.ts';

export const uploadTensor = defineTool({
  name: 'upload_tensor',
  title: 'Upload a tensor',
  description:
    'Stores a nested list of numbers and returns its uuid. A second upload under the same name is a new version. Without dtype, whole numbers become ' +
    'int64, others float64, true and false bool; JSON cannot tell 1.0 from 1, so give dtype where it matters.',
  keywords: 'save an array, matrix, vector or numbers; keep values for later',
  input: z.object({
    name: z.string().describe('Name to find it by'),
    description: z.string().describe('Where it comes from and what it is for'),
    tensor_data: unchecked(
      { type: 'array' },
      'Nested lists of numbers, or of true and false. NaN and infinities as "NaN", "Infinity" and "-Infinity", integers beyond 2^53 as text',
    ),
    dtype: dtype.optional().describe('NumPy name of the element type; values that do not fit are refused'),
    tags: tags.optional().describe('Words to find it by'),
  }),
  output: z.object({ uuid: z.string(), name: z.string(), message: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['EMPTY_TENSOR', 'INVALID_TENSOR', 'BLANK_NAME', 'STORAGE_FAILED'],
  envelope: errorField,
  async run({ name, description, tensor_data, dtype, tags }, { service }) {
    const stored = await service.uploadTensor({ name, description, data: tensor_data, dtype, tags });
    return { ...stored, message: 'Tensor uploaded successfully' };
  },
});
