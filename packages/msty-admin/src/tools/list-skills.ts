import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventoryWithFolders, limit, looks, toWire } from '../schemas.ts';

export const listSkills = defineTool({
  name: 'list_skills',
  title: 'List skills',
  description: "Lists Msty Studio's skills with preferences and folders, newest first.",
  keywords: 'abilities of assistants, instructions in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventoryWithFolders,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) =>
    toWire(await service.inventory.listWithFolders('skills', 'skill_folders', limit)),
});
