import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { shape } from '../schemas.ts';

export const runModel = defineTool({
  name: 'run_model',
  title: 'Run a model',
  description:
    "Runs a model's predict on stored tensors inside a sandbox without network or files, stores the result as a new tensor with its lineage, and returns " +
    'its uuid and name. An ONNX model is run in a process of its own; each of its outputs becomes a tensor. Use get_tensor or plot_tensor to look at it.',
  input: z.object({
    model: z.string().describe('Name or uuid of a model that has code, or of an ONNX model'),
    inputs: z
      .union([z.record(z.string(), z.string()), z.array(z.string())])
      .describe(
        'Tensors by the key that predict expects or the name of the ONNX input, such as {"input_image": "photo"}, or a list of tensors that keep their own names as keys; a model that only has weights can be given like a tensor',
      ),
    output_name: z
      .string()
      .min(1)
      .optional()
      .describe('Name for the result; when it is in use, date and a random part are added'),
    timeout_ms: z.int().min(1).max(600_000).optional().describe('Longest run time; 30000 unless told otherwise'),
  }),
  output: z.object({
    uuid: z.string(),
    name: z.string(),
    shape,
    dtype: z.string(),
    outputs: z
      .array(z.object({ uuid: z.string(), name: z.string(), shape, dtype: z.string(), output: z.string().optional() }))
      .optional()
      .describe('All of them, where the model has several; uuid, name, shape and dtype are those of the first'),
    duration_ms: z.number(),
    message: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [
    'NOT_FOUND',
    'INPUT_NOT_FOUND',
    'INVALID_INPUTS',
    'WEIGHTS_ONLY',
    'RUN_FAILED',
    'NO_SANDBOX',
    'DAMAGED',
    'STORAGE_FAILED',
  ],
  async run({ model, inputs, output_name, timeout_ms }, { service, signal }) {
    const call = { model, inputs, outputName: output_name, timeoutMs: timeout_ms, signal };
    const { durationMs, ...result } = await service.runModel(call);
    return { ...result, duration_ms: durationMs };
  },
});
