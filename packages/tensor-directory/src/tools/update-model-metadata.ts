import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { metadataUpdates, modelRow, modelRowOf, nameOrUuid } from '../schemas.ts';

export const updateModelMetadata = defineTool({
  name: 'update_model_metadata',
  title: 'Rename or describe a model',
  description:
    'Changes user_name and description of a model and returns all of its metadata. Other fields are listed in "ignored".',
  keywords: 'rename a network, change its name or description, label it',
  input: z.object({
    name_or_uuid: nameOrUuid,
    metadata_updates: metadataUpdates.describe('New user_name or description'),
  }),
  output: z.object({
    metadata: modelRow,
    ignored: z.array(z.string()).optional().describe('Fields that cannot be changed'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'BLANK_NAME', 'INVALID_UPDATE', 'STORAGE_FAILED'],
  async run({ name_or_uuid, metadata_updates }, { service }) {
    const { item, ignored } = await service.updateModel(name_or_uuid, metadata_updates);
    return { metadata: modelRowOf(item), ...(ignored.length > 0 && { ignored }) };
  },
});
