import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryId } from '../schemas.ts';

export const diffVersions = defineTool({
  name: 'diff_versions',
  title: 'Compare versions of a file',
  description: "Returns what changed in a memory's text between two versions, as a unified diff with counts of lines.",
  keywords: 'what changed in a document; differences between drafts, revisions, old and new',
  input: z.object({
    memory_id: memoryId.describe('Id of the memory'),
    from: z.int().min(1).describe('Earlier version, as in list_versions'),
    to: z.int().min(1).optional().describe('Later version; default the present one'),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    from: z.int(),
    to: z.int(),
    diff: z.string().describe('Lines with - are gone, lines with + are new; empty when the texts are the same'),
    added: z.int(),
    removed: z.int(),
    truncated: z.boolean().describe('Whether there is more than is shown'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['MEMORY_NOT_FOUND', 'VERSION_NOT_FOUND', 'FILE_UNREADABLE', 'DIFF_TOO_LARGE'],
  async run({ memory_id, from, to }, { service, signal }) {
    const memory = await service.getMemory(memory_id);
    const diff = await service.versions.diff(memory, from, to ?? memory.version ?? 1, signal);
    return { id: memory.id, name: memory.name, ...diff };
  },
});
