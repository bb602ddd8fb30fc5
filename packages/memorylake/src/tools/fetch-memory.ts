import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { bareResult } from '../envelope.ts';
import { listedMemory, memoryIds, showListed } from '../schemas.ts';

export const fetchMemory = defineTool({
  name: 'fetch_memory',
  title: 'Look at memories',
  description:
    'Returns what is known of the given memories, by id: name, type, summary, counts, sheets, status and, over HTTP, a download link that expires. Ids that do not exist are left out.',
  input: z.object({ memory_ids: memoryIds.describe('Ids of memories, as search_memory gives them') }),
  output: z.record(
    z.string(),
    listedMemory.extend({
      source_type: z.string().describe('Format of the file: xlsx, xls, csv, tsv, pdf, docx, html, json, md or txt'),
      summary: z.string(),
      presigned_url: z.string().nullable().describe('Downloads the file until it expires; null where there is no HTTP'),
    }),
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
      },
    ]);
    return Object.fromEntries(await Promise.all(entries));
  },
});
