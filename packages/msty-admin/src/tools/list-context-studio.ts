import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventoryWithFolders, limit, looks, toWire } from '../schemas.ts';

export const listContextStudio = defineTool({
  name: 'list_context_studio',
  title: 'List Context Studio',
  description: "Lists Msty Studio's Context Studio attachments with folders, newest first.",
  keywords: 'attached files and folders, context for chats',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventoryWithFolders,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) =>
    toWire(await service.inventory.listWithFolders('attachments', 'attachment_folders', limit)),
});
