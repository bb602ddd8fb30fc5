import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { memoryId, noteOutput, showNote, validTime } from '../schemas.ts';

export const supersede = defineTool({
  name: 'supersede',
  title: 'Supersede a note',
  description:
    'Replaces a note that no longer holds by a newer one with its tags, collection and cited places. Both are kept and dated: search_memory finds the newer one, and with as_of the one that held then.',
  keywords: 'correct, update or replace an outdated fact; changed, no longer true',
  input: z.object({
    note_id: memoryId.describe('Note that no longer holds'),
    text: z.string().trim().min(1).max(20_000).describe('What holds instead'),
    valid_from: validTime.optional().describe('ISO date or time since when it holds; default now'),
  }),
  output: z.object({
    id: z.string().describe('Id of the newer note'),
    note: noteOutput,
    former: z.object({ id: z.string(), note: noteOutput }),
    dropped_cites: z
      .array(z.object({ memory_id: z.string(), name: z.string() }))
      .optional()
      .describe('Sources of the former note that are no longer there'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['NOTE_NOT_FOUND', 'NOTE_SUPERSEDED', 'VALID_FROM_TOO_EARLY'],
  async run({ note_id, text, valid_from: since }, { service }) {
    const validFromMs = since === undefined ? undefined : Date.parse(since);
    const { note, former, dropped } = await service.notes.supersede(note_id, { text, validFromMs });
    return {
      id: note.id,
      note: showNote(note.note, []),
      former: { id: former.id, note: showNote(former.note, []) },
      ...(dropped.length > 0 && {
        dropped_cites: dropped.map(({ memoryId, memoryName }) => ({ memory_id: memoryId, name: memoryName })),
      }),
    };
  },
});
