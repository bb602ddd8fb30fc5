import { invalidParams, type Resource } from '@atoll-mcp/core';
import { tensorMetadataOf } from '../schemas.ts';
import type { TensorDirectoryService } from '../service.ts';

/** As base64 inside JSON, clients reject more than this. */
const MAX_FILE_BYTES = 128 * 2 ** 20;

export const tensor: Resource<TensorDirectoryService> = {
  uriTemplate: 'tensor://{uuid}',
  name: 'tensor',
  title: 'A tensor',
  description: 'Metadata of a tensor as JSON, by uuid, name or name@N',
  mimeType: 'application/json',
  async list(page, { service }) {
    const items = await service.itemsFor('tensor', page);
    return items.map(({ uuid, name, description }) => ({
      uri: `tensor://${uuid}`,
      name,
      ...(description && { description }),
      mimeType: 'application/json',
    }));
  },
  complete: { uuid: (typed, { service }) => service.complete('tensor', typed) },
  async read({ uuid }, { service }, uri) {
    const found = await service.tensorResource(uuid!);
    if (!found) return undefined;
    const metadata = { ...tensorMetadataOf(found.item), sha256: found.sha256 };
    return [{ uri, mimeType: 'application/json', text: JSON.stringify(metadata) }];
  },
};

export const tensorData: Resource<TensorDirectoryService> = {
  uriTemplate: 'tensor://{uuid}/data.npy',
  name: 'tensor-data',
  title: 'The values of a tensor',
  description: 'The values as a NumPy .npy file, by uuid, name or name@N',
  mimeType: 'application/octet-stream',
  complete: { uuid: (typed, { service }) => service.complete('tensor', typed) },
  async read({ uuid }, { service }, uri) {
    const metadata = await service.tensorResource(uuid!);
    if (!metadata) return undefined;
    const file = await service.tensorFile(uuid!, MAX_FILE_BYTES);
    if (!file)
      throw invalidParams(
        `Larger than the ${MAX_FILE_BYTES} bytes that can be read at once; use export_tensor or get_tensor with a slice`,
      );
    return [{ uri, mimeType: 'application/octet-stream', blob: file.toString('base64') }];
  },
};
