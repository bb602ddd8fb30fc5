import { z } from 'zod';
import { DTYPES, shapeText } from './domain/dtypes.ts';

export const nameOrUuid = z.string().describe('Its name (the newest version), name@N for version N, or its uuid');

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

/** Where a tensor that a model made comes from. */
export const lineage = z.object({
  model_uuid: z.string(),
  model_name: z.string(),
  inputs: z.record(z.string(), z.string()).describe('Uuids of the input tensors, by the keys that predict was given'),
  slices: z
    .record(z.string(), z.string())
    .optional()
    .describe('Slices of the inputs, by the same keys, where not all of a tensor was given'),
  duration_ms: z.number(),
});
export type LineageRow = z.output<typeof lineage>;

/** What our own tools tell of a tensor beyond the original's row. */
export const tensorMetadata = tensorRow.extend({
  version: z.int().describe('Counts the uploads under this name'),
  tags: z.array(z.string()),
  lineage: lineage.optional(),
});
export type TensorMetadata = z.output<typeof tensorMetadata>;

export const modelMetadata = modelRow.extend({ version: z.int() });
export type ModelMetadata = z.output<typeof modelMetadata>;

export const dtype = z.enum(DTYPES, {
  error: ({ input }) =>
    `must be one of ${DTYPES.join(', ')}${String(input).startsWith('complex') ? '; complex numbers cannot be stored, so keep the real and imaginary parts as two tensors' : ''}`,
});

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
  .describe('NumPy text: integers, start:stop:step, negatives and "...", such as "0:10, :, -1". Left out: everything');

export const page = {
  limit: z.int().min(1).max(1000).default(100).describe('At most this many are returned'),
  offset: z.int().min(0).default(0).describe('This many are skipped first'),
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

export const LANGUAGES = ['python', 'javascript'] as const;
export type Language = (typeof LANGUAGES)[number];

interface ItemFacts {
  readonly uuid: string;
  readonly name: string;
  readonly description: string;
  readonly createdAt: string;
  readonly version: number;
}

interface LineageFacts {
  readonly modelUuid: string;
  readonly modelName: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly slices?: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

interface TensorFacts extends ItemFacts {
  readonly values: { readonly dtype: string; readonly shape: readonly number[] };
  readonly tags: readonly string[];
  readonly lineage?: LineageFacts;
}

interface ModelFacts extends ItemFacts {
  readonly code?: string;
  readonly weights?: object;
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

function lineageRowOf({ modelUuid, modelName, inputs, slices, durationMs }: LineageFacts): LineageRow {
  return {
    model_uuid: modelUuid,
    model_name: modelName,
    inputs: { ...inputs },
    ...(slices && { slices: { ...slices } }),
    duration_ms: durationMs,
  };
}

/** The original's fields of a model, and no others. */
export function modelRowOf({ uuid, name, description, createdAt, code, weights }: ModelFacts): ModelRow {
  return {
    uuid,
    user_name: name,
    description,
    upload_date: createdAt,
    has_code: code !== undefined,
    has_weights: weights !== undefined,
  };
}

export function modelMetadataOf(model: ModelFacts): ModelMetadata {
  return { ...modelRowOf(model), version: model.version };
}
