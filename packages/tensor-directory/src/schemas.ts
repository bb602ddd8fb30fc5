import { DTYPES, STORED_DTYPES, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import { FINDINGS } from './domain/compare/checkup.ts';
import type { Lineage } from './domain/lineage.ts';
import type { OnnxFacts, OnnxValue } from './domain/onnx/onnx-model.ts';
import { type Step, step } from './domain/transform/steps.ts';
import { jsonNumber } from './domain/values/values.ts';

export const nameOrUuid = z.string().describe('Name (newest version), name@N or uuid');

/** A row of `list_tensors`, with the original's fields and no others. */
export const tensorRow = z.object({
  uuid: z.string(),
  user_name: z.string(),
  description: z.string(),
  creation_date: z.string().describe('ISO 8601, UTC'),
  original_dtype: z.string().describe('By its NumPy name, such as float64'),
  original_shape: z.string().describe('As Python writes it, such as (3, 4)'),
});
export type TensorRow = z.output<typeof tensorRow>;

/** A row of `list_models`, with the original's fields and no others. */
export const modelRow = z.object({
  uuid: z.string(),
  user_name: z.string(),
  description: z.string(),
  upload_date: z.string().describe('ISO 8601, UTC'),
  has_code: z.boolean(),
  has_weights: z.boolean(),
});
export type ModelRow = z.output<typeof modelRow>;

/** Where a tensor that was not uploaded comes from. */
export const lineage = z.object({
  model_uuid: z.string().optional().describe('The model that made it'),
  model_name: z.string().optional(),
  output: z.string().optional().describe('Which output of the model it is, where there are several'),
  steps: z.array(z.record(z.string(), z.unknown())).optional().describe('The steps of transform_tensor that made it'),
  file: z.string().optional().describe('The file that it was imported from'),
  import_id: z.string().optional().describe('What all tensors of one import have in common'),
  inputs: z
    .record(z.string(), z.string())
    .describe('Uuids of the input tensors, by the keys that predict or the steps were given'),
  slices: z
    .record(z.string(), z.string())
    .optional()
    .describe('Slices of the inputs, by the same keys, where not all of a tensor was given'),
  duration_ms: z.number().optional(),
});
type LineageRow = z.output<typeof lineage>;

/** Additional fields of tensors in tools that the original does not have. */
export const tensorMetadata = tensorRow.extend({
  version: z.int().describe('Counts the uploads under this name'),
  tags: z.array(z.string()),
  lineage: lineage.optional(),
});
type TensorMetadata = z.output<typeof tensorMetadata>;

export const modelMetadata = modelRow.extend({ version: z.int() });
type ModelMetadata = z.output<typeof modelMetadata>;

export const dtype = z.enum(DTYPES, {
  error: ({ input }) =>
    `must be one of ${DTYPES.join(', ')}${String(input).startsWith('complex') ? '; complex numbers cannot be stored, so keep the real and imaginary parts as two tensors' : ''}`,
});

export const storedDtype = z.enum(STORED_DTYPES, { error: () => `must be one of ${STORED_DTYPES.join(', ')}` });

export const tags = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .regex(/^[^\n]*$/, 'must be one line'),
  )
  .max(100);

export const shape = z.array(z.int());

export const slice = z
  .string()
  .optional()
  .describe('NumPy slice: integers, start:stop:step, negatives and "...", such as "0:10, :, -1"; default everything');

export const page = {
  limit: z.int().min(1).max(1000).default(100).describe('Maximum number to return'),
  offset: z.int().min(0).default(0).describe('How many to skip'),
};

export const tensorPage = z.object({
  tensors: z.array(tensorRow),
  total_items_in_collection: z.int().describe('How many match, on all pages together'),
  offset: z.int(),
  limit: z.int(),
});

export const modelPage = z.object({
  models: z.array(modelRow),
  total_items_in_collection: z.int().describe('How many match, on all pages together'),
  offset: z.int(),
  limit: z.int(),
});

export const metadataUpdates = z.record(z.string(), z.unknown());

/** A figure that may not exist, such as the mean of no values. */
export const figure = z.number().nullable();

const MAX_STEPS = 50;

/** A string among the steps is an expression. */
export const transformSteps = z
  .array(
    z.union([
      z
        .string()
        .min(1)
        .max(2_000)
        .transform((expression): Step => ({ do: 'expression', expression })),
      step,
    ]),
  )
  .min(1)
  .max(MAX_STEPS);

export const namePattern = z.string().min(1).max(500).optional();

export const FINDING_KINDS = FINDINGS;

/** Facts about each side of a comparison. */
export const tensorFacts = z.object({
  uuid: z.string(),
  name: z.string(),
  version: z.int(),
  shape,
  dtype: z.string(),
});
type TensorFactsRow = z.output<typeof tensorFacts>;

export const LANGUAGES = ['python', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];

export const MODEL_LANGUAGES = [...LANGUAGES, 'onnx'] as const;
export type ModelLanguage = (typeof MODEL_LANGUAGES)[number];

interface ItemFacts {
  readonly uuid: string;
  readonly name: string;
  readonly description: string;
  readonly createdAt: string;
  readonly version: number;
}

interface TensorFacts extends ItemFacts {
  readonly values: { readonly dtype: string; readonly shape: readonly number[] };
  readonly tags: readonly string[];
  readonly lineage?: Lineage;
}

interface ModelFacts extends ItemFacts {
  readonly code?: string;
  readonly weights?: object;
  readonly onnx?: object;
}

/** The original's fields of a tensor, and no others. */
export function tensorRowOf({ uuid, name, description, createdAt, values }: TensorFacts): TensorRow {
  return {
    uuid,
    user_name: name,
    description,
    creation_date: createdAt,
    original_dtype: values.dtype,
    original_shape: shapeText(values.shape),
  };
}

export function tensorMetadataOf(tensor: TensorFacts): TensorMetadata {
  const { version, tags, lineage } = tensor;
  return { ...tensorRowOf(tensor), version, tags: [...tags], ...(lineage && { lineage: lineageRowOf(lineage) }) };
}

function lineageRowOf(facts: Lineage): LineageRow {
  const { modelUuid, modelName, output, steps, file, importId, inputs, slices, durationMs } = facts;
  return {
    ...(modelUuid !== undefined && { model_uuid: modelUuid }),
    ...(modelName !== undefined && { model_name: modelName }),
    ...(output !== undefined && { output }),
    ...(steps && { steps: steps.map((step) => ({ ...step })) }),
    ...(file !== undefined && { file }),
    ...(importId !== undefined && { import_id: importId }),
    inputs: { ...inputs },
    ...(slices && { slices: { ...slices } }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
  };
}

/** The original's fields of a model, and no others. */
export function modelRowOf({ uuid, name, description, createdAt, code, weights, onnx }: ModelFacts): ModelRow {
  return {
    uuid,
    user_name: name,
    description,
    upload_date: createdAt,
    // An ONNX model is both in one file.
    has_code: (code ?? onnx) !== undefined,
    has_weights: (weights ?? onnx) !== undefined,
  };
}

export function modelMetadataOf(model: ModelFacts): ModelMetadata {
  return { ...modelRowOf(model), version: model.version };
}

const onnxValue = z.object({
  name: z.string(),
  type: z.string().describe('By its NumPy name, such as float32, or sequence, map, optional'),
  shape: z
    .array(z.union([z.int(), z.string(), z.null()]))
    .optional()
    .describe('A size that may vary is a name such as batch, or null; left out where the model does not say'),
  optional: z.literal(true).optional().describe('The model has a value of its own for it'),
});

export const onnxFacts = z.object({
  inputs: z.array(onnxValue),
  outputs: z.array(onnxValue),
  operators: z
    .array(z.object({ operator: z.string(), domain: z.string().optional(), count: z.int() }))
    .describe('The most frequent first'),
  custom_operators: z
    .array(z.string())
    .describe('Operators that the runtime does not know; with any, it cannot be run'),
  opsets: z.array(z.object({ domain: z.string(), version: z.int() })),
  ir_version: z.int(),
  producer: z.string().optional(),
  parameters: z.int().describe('Values in all of its tensors together'),
  size_bytes: z.int(),
  sha256: z.string(),
});

export function onnxFactsOf(
  model: OnnxFacts & { readonly file: { readonly sizeBytes: number; readonly sha256: string } },
): z.output<typeof onnxFacts> {
  return {
    inputs: model.inputs.map(onnxValueOf),
    outputs: model.outputs.map(onnxValueOf),
    operators: [...model.operators],
    custom_operators: [...model.customOperators],
    opsets: [...model.opsets],
    ir_version: model.irVersion,
    ...(model.producer !== undefined && { producer: model.producer }),
    parameters: model.parameters,
    size_bytes: model.file.sizeBytes,
    sha256: model.file.sha256,
  };
}

function onnxValueOf({ shape, ...value }: OnnxValue) {
  return { ...value, ...(shape && { shape: [...shape] }) };
}

export function tensorFactsOf({ uuid, name, version, values }: TensorFacts): TensorFactsRow {
  return { uuid, name, version, shape: [...values.shape], dtype: values.dtype };
}

/** A place in row-major order by its index along each axis, and its figures as JSON can carry them. */
export function unravel(
  { index, a, b, difference }: { index: number; a: number; b: number; difference: number },
  shape: readonly number[],
) {
  const place: number[] = [];
  let rest = index;
  for (const size of shape.toReversed()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return { index: place, a: jsonNumber(a), b: jsonNumber(b), difference: jsonNumber(difference) };
}
