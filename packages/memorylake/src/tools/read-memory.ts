import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryId } from '../schemas.ts';

export const readMemory = defineTool({
  name: 'read_memory',
  title: 'Read a file',
  description:
    'Returns the text of a memory or of one place in it: a page, rows of a sheet, turns of a chat, or a chunk named by search_memory. Use it to read around a passage before citing it. Long text comes in parts: read on with offset.',
  keywords: 'open a document; show page, chapter, section, sheet, paragraph; full text, quote',
  input: z.object({
    memory_id: memoryId.describe('Id of the memory'),
    page: z.int().min(1).optional().describe('Page of a PDF'),
    sheet: z.string().max(255).optional().describe('Worksheet; default the first'),
    rows: z.string().max(40).optional().describe('First and last row: "1:50"'),
    turns: z.string().max(40).optional().describe('First and last turn of a chat: "12:20"'),
    offset: z.int().min(0).optional().describe('Characters to skip: next_offset of the last answer'),
    version: z.int().min(1).optional().describe('Former version, as in list_versions'),
    chunk: z.int().min(1).optional().describe('Number of a passage, as from search_memory'),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    place: z.string().describe('What the text is: page, sheet and rows, turns, or lines; empty for the whole'),
    text: z.string(),
    truncated: z.boolean().describe('Whether there is more text than is shown'),
    next_offset: z.int().optional().describe('Give it as offset to read on'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [
    'MEMORY_NOT_FOUND',
    'MEMORY_NOT_READY',
    'VERSION_NOT_FOUND',
    'PLACE_NOT_FOUND',
    'BAD_ROWS',
    'FILE_UNREADABLE',
  ],
  async run({ memory_id, ...options }, { service, signal }) {
    const { memory, place, text, truncated, nextOffset } = await service.read(memory_id, options, signal);
    return {
      id: memory.id,
      name: memory.name,
      place,
      text,
      truncated,
      ...(nextOffset !== undefined && { next_offset: nextOffset }),
    };
  },
});
