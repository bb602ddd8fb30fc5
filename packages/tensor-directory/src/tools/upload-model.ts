import { unchecked } from '@atoll-mcp/core';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { errorField } from '../envelope.ts';
import { LANGUAGES } from '../schemas.ts';

export const uploadModel = defineTool({
  name: 'upload_model',
  title: 'Upload a model',
  description:
    'Stores code, weights or both, or an ONNX file, as a model, and returns its uuid. Code must define predict: in Python predict(input_tensors_dict) ' +
    'gets a dict of NumPy arrays and returns one array; in JavaScript predict(inputs) gets and returns {dtype, shape, data: TypedArray}. Weights ' +
    'reach it under the key "weights". Run it with run_model.',
  keywords: 'save or register a neural network; network code, predictor function, weights; add a classifier',
  input: z.object({
    name: z.string().describe('Name to find it by'),
    description: z.string().describe('What it does and what inputs it expects'),
    model_weights: unchecked({ type: ['array', 'null'], default: null }, 'Nested lists of numbers').optional(),
    model_code: z.string().nullable().default(null).describe('Source code that defines predict'),
    model_onnx: z
      .string()
      .optional()
      .describe('An .onnx file in base64, instead of code and weights; for large ones use import_model'),
    language: z.enum(LANGUAGES).default('python').describe('Language of the code'),
  }),
  output: z.object({
    uuid: z.string(),
    name: z.string(),
    message: z.string(),
    warning: z.string().optional().describe('Why the model cannot be run as it is'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['NOTHING_TO_UPLOAD', 'INVALID_WEIGHTS', 'INVALID_ONNX', 'CODE_TOO_LONG', 'BLANK_NAME', 'STORAGE_FAILED'],
  envelope: errorField,
  async run({ name, description, model_weights, model_code, model_onnx, language }, { service }) {
    const { warning, ...stored } = await service.uploadModel({
      name,
      description,
      weights: model_weights,
      code: model_code ?? undefined,
      onnx: model_onnx,
      language,
    });
    return { ...stored, message: 'Model uploaded successfully', ...(warning && { warning }) };
  },
});
