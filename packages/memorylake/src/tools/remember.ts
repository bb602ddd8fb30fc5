import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { Place } from '../domain/document.ts';
import {
  collectionName,
  memoryId,
  noteOutput,
  organisedOutput,
  placeInput,
  showNote,
  showOrganised,
  tagList,
  validTime,
} from '../schemas.ts';

export const remember = defineTool({
  name: 'remember',
  title: 'Remember a note',
  description:
    'Stores what was learnt as a note, with the places it was learnt from, and returns its id. search_memory finds notes beside files, with source_changed when a cited place has changed. Write one fact or decision per note, so that it makes sense on its own.',
  keywords: 'keep in mind, save a fact, preference or decision; memo, learn',
  input: z.object({
    text: z.string().trim().min(1).max(20_000).describe('What to remember'),
    cites: z
      .array(
        z.object({
          memory_id: memoryId.describe('Memory that says it'),
          place: placeInput
            .optional()
            .describe('Place in it, as in the snippets of search_memory; default the whole file'),
          chunk: z.int().min(1).optional().describe("Instead, the passage's number in the snippets"),
        }),
      )
      .max(20)
      .optional()
      .describe('Where it was learnt'),
    tags: tagList.optional().describe('Tags to find it by'),
    collection: collectionName.optional().describe('Its collection; default "default"'),
    valid_from: validTime.optional().describe('ISO date or time since when it holds; default now'),
  }),
  output: z.object({ id: z.string(), name: z.string(), ...organisedOutput, note: noteOutput }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [
    'MEMORY_NOT_FOUND',
    'MEMORY_NOT_READY',
    'PLACE_NOT_FOUND',
    'BAD_ROWS',
    'FILE_UNREADABLE',
    'COLLECTION_NOT_FOUND',
  ],
  async run({ text, cites, tags, collection, valid_from: since }, { service }) {
    const record = await service.notes.remember({
      text,
      tags,
      collection,
      validFromMs: since === undefined ? undefined : Date.parse(since),
      cites: cites?.map(({ memory_id: memoryId, place, chunk }) => ({
        memoryId,
        // The schema has checked the lengths of ranges and boxes.
        ...(place as Place | undefined),
        ...(chunk !== undefined && { chunk }),
      })),
    });
    return { id: record.id, name: record.name, ...showOrganised(record), note: showNote(record.note, []) };
  },
});
