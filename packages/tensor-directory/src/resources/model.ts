import type { Resource } from '@atoll-mcp/core';
import { modelMetadataOf, onnxFactsOf } from '../schemas.ts';
import type { TensorDirectoryService } from '../service.ts';

export const model: Resource<TensorDirectoryService> = {
  uriTemplate: 'model://{uuid}',
  name: 'model',
  title: 'A model',
  description: 'Metadata and code of a model as JSON, by uuid, name or name@N',
  mimeType: 'application/json',
  async list(page, { service }) {
    const items = await service.itemsFor('model', page);
    return items.map(({ uuid, name, description }) => ({
      uri: `model://${uuid}`,
      name,
      ...(description && { description }),
      mimeType: 'application/json',
    }));
  },
  complete: { uuid: (typed, { service }) => service.complete('model', typed) },
  async read({ uuid }, { service }, uri) {
    const found = await service.modelResource(uuid!);
    if (!found) return undefined;
    const { model: item, code } = found;
    const text = JSON.stringify({
      metadata: modelMetadataOf(item),
      language: item.language,
      code: code ?? null,
      weights_shape: item.weights ? [...item.weights.shape] : null,
      weights_dtype: item.weights?.dtype ?? null,
      ...(item.onnx && { onnx: onnxFactsOf(item.onnx) }),
    });
    return [{ uri, mimeType: 'application/json', text }];
  },
};
