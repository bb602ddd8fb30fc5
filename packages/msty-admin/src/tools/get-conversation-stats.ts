import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, days, found, looks, toWire } from '../schemas.ts';

export const getConversationStats = defineTool({
  name: 'get_conversation_stats',
  title: 'Show conversation statistics',
  description: 'Counts conversations and messages, in all and in the last days, by role, with the last activity.',
  keywords: 'how many chats and messages; number, total, this week, month',
  input: z.object({ days }),
  output: z.object({
    days: z.int(),
    total_conversations: z.int().nullable(),
    total_messages: z.int().nullable(),
    recent_conversations: z.int().nullable(),
    recent_messages: z.int().nullable(),
    avg_messages_per_conversation: z.number().nullable(),
    messages_by_role: z.record(z.string(), z.int()).nullable(),
    last_activity_at: z.string().nullable(),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ days }, { service }) => toWire(await service.figures.stats(days)),
});
