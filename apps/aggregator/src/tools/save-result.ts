import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

export const saveResult = defineTool({
  name: 'save_result',
  title: 'Save a kept result',
  description:
    'Stores an answer that was kept, or a part of it, as a file of the lake or as a tensor, without passing it through the model. It calls add_memory or upload_tensor for you, so you must be able to call that tool. Texts are stored as they are, everything else as JSON, or as CSV where the name ends so; a tensor takes nested lists of numbers.',
  input: z.object({
    id: z.string().min(1).describe('result_id of the answer, or its atoll:// address'),
    as: z.enum(['memory', 'tensor']).describe('memory: a file that can be searched; tensor: an array of numbers'),
    name: z.string().min(1).max(255).describe('Filename with its extension, such as rows.csv, or name of the tensor'),
    path: z.string().optional().describe('Only this part of it: rows[3].name; ["any name"][0]'),
    description: z.string().optional().describe('Of a tensor: where it comes from and what it is for'),
  }),
  output: z.object({
    tool: z.string().describe('The tool that stored it'),
    answer: z.unknown().describe('What that tool answered'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  errors: ['UNKNOWN_RESULT', 'BAD_PATH', 'NOT_AVAILABLE', 'NOT_SAVED'],
  run: (input, { service, request }) => service.saveResult(input, request),
});
