import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { sentence } from '../envelope.ts';

export const queryTensorDirectory = defineTool({
  name: 'query_tensor_directory',
  title: 'Ask the directory in plain words',
  description:
    'Answers a request in plain words with a sentence: find a tensor or model, its shape, dtype or details; search and count by dtype, shape, name or ' +
    "words; run a model (\"Run model 'enhancer' on tensor 'photo' and call the output 'bright'\"). Never deletes or changes anything.",
  keywords: 'question about stored arrays and models in everyday language; chat, assistant',
  input: z.object({
    prompt: z.string().describe('The request; names may be quoted'),
    params: z
      .object({
        inputs: z
          .union([z.record(z.string(), z.string()), z.array(z.string())])
          .optional()
          .describe('Inputs of a model by role, or a list of tensors, instead of those in the prompt'),
        limit: z.int().min(1).max(1000).optional().describe('How many examples to name; default 20'),
        output_name: z.string().min(1).optional().describe('Name for the output, instead of the one in the prompt'),
      })
      .loose()
      .nullable()
      .default(null)
      .describe('Structured extras'),
  }),
  output: z.string(),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [
    'INPUT_NOT_FOUND',
    'INVALID_INPUTS',
    'INVALID_SLICE',
    'NOT_FOUND',
    'RUN_FAILED',
    'NO_SANDBOX',
    'DAMAGED',
    'PROMPT_NOT_READ',
    'STORAGE_FAILED',
  ],
  envelope: sentence,
  run: ({ prompt, params }, { service, signal }) =>
    service.answer(prompt, { inputs: params?.inputs, limit: params?.limit, outputName: params?.output_name }, signal),
});
