import type { Lineage, ModelItem, TensorItem } from '../backends/interface.ts';
import { shapeText } from '../domain/dtypes.ts';
import type { LineageRow, ModelMetadata, ModelRow, TensorMetadata, TensorRow } from '../schemas.ts';

/** The seed's fields of a tensor, and no others. */
export function tensorRowOf({ uuid, name, description, createdAt, values }: TensorItem): TensorRow {
  return {
    uuid,
    user_name: name,
    description,
    creation_date: createdAt,
    original_dtype: values.dtype,
    original_shape: shapeText(values.shape),
  };
}

export function tensorMetadataOf(tensor: TensorItem): TensorMetadata {
  const { version, tags, lineage } = tensor;
  return { ...tensorRowOf(tensor), version, tags: [...tags], ...(lineage && { lineage: lineageRowOf(lineage) }) };
}

function lineageRowOf({ modelUuid, modelName, inputs, slices, durationMs }: Lineage): LineageRow {
  return {
    model_uuid: modelUuid,
    model_name: modelName,
    inputs: { ...inputs },
    ...(slices && { slices: { ...slices } }),
    duration_ms: durationMs,
  };
}

/** The seed's fields of a model, and no others. */
export function modelRowOf({ uuid, name, description, createdAt, code, weights }: ModelItem): ModelRow {
  return {
    uuid,
    user_name: name,
    description,
    upload_date: createdAt,
    has_code: code !== undefined,
    has_weights: weights !== undefined,
  };
}

export function modelMetadataOf(model: ModelItem): ModelMetadata {
  return { ...modelRowOf(model), version: model.version };
}
