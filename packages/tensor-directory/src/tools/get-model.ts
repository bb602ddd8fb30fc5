import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import {
  MODEL_LANGUAGES,
  modelMetadata,
  modelMetadataOf,
  nameOrUuid,
  onnxFacts,
  onnxFactsOf,
  shape,
} from '../schemas.ts';

export const getModel = defineTool({
  name: 'get_model',
  title: 'Look at a model',
  description:
    "Returns a model's metadata, language and code, and the shape and dtype of its weights; of an ONNX model its inputs, outputs, operators, opsets " +
    'and size.',
  input: z.object({
    name_or_uuid: nameOrUuid,
    include_code: z.boolean().default(true).describe('Return the code'),
  }),
  output: z.object({
    metadata: modelMetadata,
    language: z.enum(MODEL_LANGUAGES),
    code: z.string().nullable(),
    weights_shape: shape.nullable(),
    weights_dtype: z.string().nullable(),
    onnx: onnxFacts.optional().describe('What is in the file of an ONNX model'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'STORAGE_FAILED'],
  async run({ name_or_uuid, include_code }, { service }) {
    const { model, code } = await service.getModel(name_or_uuid, include_code);
    return {
      metadata: modelMetadataOf(model),
      language: model.language,
      code: code ?? null,
      weights_shape: model.weights ? [...model.weights.shape] : null,
      weights_dtype: model.weights?.dtype ?? null,
      ...(model.onnx && { onnx: onnxFactsOf(model.onnx) }),
    };
  },
});
