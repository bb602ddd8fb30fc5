import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, inventory, limit, looks, toWire } from '../schemas.ts';

export const listKnowledgeStacks = defineTool({
  name: 'list_knowledge_stacks',
  title: 'List knowledge stacks',
  description: "Lists Msty Studio's knowledge stacks with sources and state, newest first.",
  keywords: 'RAG collections, knowledge bases, document sets in Msty',
  input: z.object({ limit: limit(100, 1000) }),
  output: inventory,
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ limit }, { service }) => toWire(await service.inventory.list('knowledge_stacks', limit)),
});
