import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { filterFrom, filterInput, listedMemory, memoryKind, memoryStatus, memoryType, showListed } from '../schemas.ts';

export const listMemories = defineTool({
  name: 'list_memories',
  title: 'List files',
  description:
    'Lists the files of the lake, oldest first, with status and counts, and why failed ones failed; notes with kind "note".',
  keywords: 'which documents are in the library; failed, pending uploads; progress, did it work; browse',
  input: z.object({
    type: memoryType.optional().describe('Only files of this type'),
    status: memoryStatus.optional().describe('Only this state'),
    name_contains: z.string().max(255).optional().describe('Only names with this text, in any case'),
    kind: memoryKind.optional().describe('Files (default), or notes of remember'),
    ...filterInput,
    limit: z.int().min(1).max(500).optional().describe('Maximum files; default 50'),
    offset: z.int().min(0).optional().describe('How many to skip'),
  }),
  output: z.object({ memories: z.array(listedMemory), n: z.int().describe('How many match, on all pages together') }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['COLLECTION_NOT_FOUND'],
  async run({ type, status, name_contains: nameContains, limit, offset, kind, ...filter }, { service }) {
    const options = { type, status, nameContains, limit, offset, kind, ...filterFrom(filter) };
    const { items, total } = await service.list(options);
    return { memories: items.map(showListed), n: total };
  },
});
