import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { bareResult } from '../envelope.ts';
import { listedMemory, memoryIds, noteOutput, showListed, showNote } from '../schemas.ts';

export const fetchMemory = defineTool({
  name: 'fetch_memory',
  title: 'Look at memories',
  description:
    'Returns what is known of memories by id: name, type, summary, counts, sheets, status and, over HTTP, a download link that expires. Unknown ids have the status not_found.',
  keywords: 'details and download link of a document; size, pages, status',
  input: z.object({ memory_ids: memoryIds.describe('Ids, as from search_memory') }),
  output: z.record(
    z.string(),
    z.union([
      listedMemory.extend({
        source_type: z.string().describe('Format of the file: xlsx, xls, csv, tsv, pdf, docx, html, json, md or txt'),
        summary: z.string(),
        presigned_url: z
          .string()
          .nullable()
          .describe('Downloads the file until it expires; null where there is no HTTP'),
        note: noteOutput.optional().describe('Of a note: its text, sources and times'),
        made_by: z
          .object({
            language: z.enum(['python', 'javascript']),
            code: z.string(),
            inputs: z.array(z.object({ id: z.string(), name: z.string(), sha256: z.string() })),
          })
          .optional()
          .describe('The code that made it and the memories it had read, for files kept out of a computation'),
      }),
      z.object({ id: z.string(), status: z.literal('not_found').describe('There is no memory with this id') }),
    ]),
  ),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: [],
  envelope: bareResult,
  async run({ memory_ids }, { service }) {
    const memories = await service.fetch(memory_ids);
    const entries = memories.map(async (memory) => [
      memory.id,
      {
        ...showListed(memory),
        source_type: memory.format ?? 'unknown',
        summary: memory.summary,
        presigned_url: await service.link(memory),
        ...(memory.note && { note: showNote(memory.note, await service.notes.changesOf(memory)) }),
        ...(memory.lineage && { made_by: memory.lineage }),
      },
    ]);
    const unknown = memory_ids.map((id) => [id, { id, status: 'not_found' as const }]);
    return Object.fromEntries([...unknown, ...(await Promise.all(entries))]);
  },
});
