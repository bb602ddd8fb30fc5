import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { GraphNode } from '../domain/onnx/read-graph.ts';
import {
  MODEL_LANGUAGES,
  modelMetadata,
  modelMetadataOf,
  nameOrUuid,
  onnxFacts,
  onnxFactsOf,
  shape,
} from '../schemas.ts';

const graphNode = z.object({
  operator: z.string(),
  name: z.string().optional(),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
});

const graphNodeOf = ({ inputs, outputs, ...node }: GraphNode) => ({
  ...node,
  inputs: [...inputs],
  outputs: [...outputs],
});

export const getModel = defineTool({
  name: 'get_model',
  title: 'Look at a model',
  description:
    "Returns a model's metadata, language and code, and the shape and dtype of its weights; of an ONNX model its inputs, outputs, operators, opsets " +
    'and size.',
  keywords: 'source code of a stored network; inputs and outputs of an ONNX file; details, architecture',
  input: z.object({
    name_or_uuid: nameOrUuid,
    include_code: z.boolean().default(true).describe('Return the code'),
    include_graph: z.boolean().default(false).describe('Return the operators of an ONNX model, at most 2000'),
  }),
  output: z.object({
    metadata: modelMetadata,
    language: z.enum(MODEL_LANGUAGES),
    code: z.string().nullable(),
    weights_shape: shape.nullable(),
    weights_dtype: z.string().nullable(),
    onnx: onnxFacts.optional().describe('What is in the file of an ONNX model'),
    graph: z
      .object({ nodes: z.array(graphNode).describe('In the order of the file'), nodes_total: z.int() })
      .optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, include_code, include_graph }, { service }) {
    const wanted = { includeCode: include_code, includeGraph: include_graph };
    const { model, code, graph } = await service.getModel(name_or_uuid, wanted);
    return {
      metadata: modelMetadataOf(model),
      language: model.language,
      code: code ?? null,
      weights_shape: model.weights ? [...model.weights.shape] : null,
      weights_dtype: model.weights?.dtype ?? null,
      ...(model.onnx && { onnx: onnxFactsOf(model.onnx) }),
      ...(graph && { graph: { nodes: graph.nodes.map(graphNodeOf), nodes_total: graph.nodesTotal } }),
    };
  },
});
