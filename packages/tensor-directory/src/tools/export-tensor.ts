import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { nameOrUuid } from '../schemas.ts';

const MIME = {
  npy: 'application/octet-stream',
  safetensors: 'application/octet-stream',
  csv: 'text/csv',
  json: 'application/json',
} as const;

export const exportTensor = defineTool({
  name: 'export_tensor',
  title: 'Export a tensor to a file',
  description:
    'Writes a tensor to a file in the export folder and returns path, size, hash and a link. CSV takes at most two dimensions; JSON is the nested ' +
    'list alone.',
  keywords: 'save an array to disk, download; write .npy, .npz, .safetensors, .csv, .json, .png',
  input: z.object({
    name_or_uuid: nameOrUuid,
    format: z.enum(['npy', 'safetensors', 'csv', 'json']).describe('File format'),
  }),
  output: z.object({ path: z.string(), size_bytes: z.int(), sha256: z.string().describe('Of the file') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'EXPORT_REFUSED', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ name_or_uuid, format }, { service, signal, attach }) {
    const { uuid, path, sizeBytes, sha256 } = await service.exportTensor(name_or_uuid, format, signal);
    const uri = format === 'npy' ? `tensor://${uuid}/data.npy` : pathToFileURL(path).href;
    attach({ type: 'resource_link', uri, name: basename(path), mimeType: MIME[format], size: sizeBytes });
    return { path, size_bytes: sizeBytes, sha256 };
  },
});
