import { z } from 'zod';
import { defineTool } from '../views/define-tool.ts';

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read a kept result',
  description:
    'Reads a part of an answer that was too large to be returned and was kept. Give the path of the part you want and a range of it; next_range reads on.',
  input: z.object({
    id: z.string().min(1).describe('result_id of the answer, or its atoll:// address'),
    range: z
      .string()
      .optional()
      .describe('Items of a list or characters of a text, end exclusive: "0:50", "50:", "-10:"'),
    path: z
      .string()
      .optional()
      .describe('A part of it: rows[3].name; ["any name"][0]; $ for all of a text that is JSON'),
  }),
  output: z.object({
    type: z.enum(['list', 'object', 'text', 'value']),
    length: z.int().optional().describe('Of the whole part: items, keys or characters'),
    range: z.string().optional().describe('What is returned of it'),
    value: z.unknown(),
    next_range: z.string().optional(),
    shape: z.string().optional().describe('Instead of a value that is too large by itself: read parts of it by a path'),
    size_bytes: z.int().describe('Of the kept result'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['UNKNOWN_RESULT', 'BAD_PATH', 'BAD_RANGE'],
  run: (input, { service, request }) => service.readResult(input, request),
});
