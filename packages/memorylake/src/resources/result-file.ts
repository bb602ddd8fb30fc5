import { buffer } from 'node:stream/consumers';
import type { Resource } from '@atoll-mcp/core';
import { isTextType } from '../domain/results/media-type.ts';
import type { Lake } from '../service/limits/lake.ts';

/** A file that code wrote into `out/`. */
export const resultFile: Resource<Lake> = {
  uriTemplate: 'memory-result://{id}',
  name: 'result-file',
  title: 'A file out of a computation',
  description: 'A file that code wrote into out/, for a day',
  async read({ id }, { service }, uri) {
    const file = await service.results.get(id ?? '');
    if (!file) return undefined;
    const bytes = await buffer(await service.results.bytes(file));
    const shared = { uri, mimeType: file.mediaType };
    return [
      isTextType(file.mediaType)
        ? { ...shared, text: bytes.toString('utf8') }
        : { ...shared, blob: bytes.toString('base64') },
    ];
  },
};
