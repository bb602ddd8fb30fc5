import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { shape } from '../schemas.ts';

export const runModel = defineTool({
  name: 'run_model',
  title: 'Run a model',
  description:
    'Runs a model on stored tensors in a sandbox without network or files, stores the result as a new tensor with its lineage, and returns its uuid ' +
    'and name. Each output of an ONNX model becomes a tensor. Look at results with get_tensor or plot_tensor.',
  keywords: 'inference, prediction, apply a neural network to data; evaluate, execute, classify, forward pass',
  input: z.object({
    model: z.string().describe('Name or uuid of a model with code, or an ONNX model'),
    inputs: z
      .union([z.record(z.string(), z.string()), z.array(z.string())])
      .describe(
        `Tensors by the key that predict expects or the ONNX input's name, such as {"input_image": "photo"}, or a list of tensors whose names are the keys; a weights-only model counts as a tensor`,
      ),
    output_name: z.string().min(1).optional().describe('Name of the result; made unique if taken'),
    timeout_ms: z.int().min(1).max(600_000).optional().describe('Longest run time; default 30000'),
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
