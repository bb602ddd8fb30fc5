import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryId } from '../schemas.ts';

export const listVersions = defineTool({
  name: 'list_versions',
  title: 'List versions of a file',
  description:
    "Lists a memory's present and former versions, newest first: other bytes under its name or path make a new one. Search finds the present one only; read_memory with version reads a former one, diff_versions compares two.",
  keywords: 'earlier drafts, revisions, history of a document',
  input: z.object({ memory_id: memoryId.describe('Id of the memory') }),
  output: z.object({
    id: z.string(),
    versions: z.array(
      z.object({
        version: z.int(),
        current: z.boolean(),
        name: z.string(),
        size_bytes: z.int(),
        since: z.string().describe('When it came into the lake'),
        until: z.string().optional().describe('When the next one took its place'),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['MEMORY_NOT_FOUND'],
  async run({ memory_id }, { service }) {
    const versions = await service.versions.list(await service.getMemory(memory_id));
    return {
      id: memory_id,
      versions: versions.map(({ version, isCurrent, name, sizeBytes, sinceMs, untilMs }) => ({
        version,
        current: isCurrent,
        name,
        size_bytes: sizeBytes,
        since: new Date(sinceMs).toISOString(),
        ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
      })),
    };
  },
});
