import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { metadataUpdates, nameOrUuid, tensorRow, tensorRowOf } from '../schemas.ts';

export const updateTensorMetadata = defineTool({
  name: 'update_tensor_metadata',
  title: 'Rename or describe a tensor',
  description:
    'Changes user_name, description and tags of a tensor and returns all of its metadata. Other fields are listed in "ignored".',
  keywords: 'rename an array, change its name or description, label it, add tags',
  input: z.object({
    name_or_uuid: nameOrUuid,
    metadata_updates: metadataUpdates.describe('New user_name, description or tags'),
  }),
  output: z.object({
    metadata: tensorRow,
    ignored: z.array(z.string()).optional().describe('Fields that cannot be changed'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'BLANK_NAME', 'INVALID_UPDATE', 'STORAGE_FAILED'],
  async run({ name_or_uuid, metadata_updates }, { service }) {
    const { item, ignored } = await service.updateTensor(name_or_uuid, metadata_updates);
    return { metadata: tensorRowOf(item), ...(ignored.length > 0 && { ignored }) };
  },
});
