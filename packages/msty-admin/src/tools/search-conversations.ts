import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, limit, looks, toWire } from '../schemas.ts';

export const searchConversations = defineTool({
  name: 'search_conversations',
  title: 'Search conversations',
  description:
    'Finds conversations by words in titles and messages (keyword) or titles only, ignoring case, with a snippet of each match. % and _ are plain characters.',
  keywords: 'find a chat, where something was talked about, mentioned, discussed; look up old messages',
  input: z.object({
    query: z.string().trim().min(1).max(1000).describe('Words, taken literally'),
    search_type: z.enum(['keyword', 'title']).default('keyword').describe('Where to look'),
    limit: limit(20, 1000, 'Maximum matches'),
  }),
  output: z.object({
    query: z.string(),
    search_type: z.string(),
    matches: z.array(
      z.object({
        conversation_id: z.string(),
        title: z.string(),
        table: z.string().describe('Ids are unique within a table'),
        matched_in: z.enum(['title', 'message']),
        role: z.string().nullable(),
        snippet: z.string(),
        created_at: z.string().nullable(),
      }),
    ),
    count: z.int(),
    messages_searched: z.boolean(),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.required, ...codes.database],
  async run({ query, search_type, limit }, { service }) {
    const found = await service.conversations.search(query, search_type, limit);
    return { ...toWire(found), matches: found.matches.map(toWire) };
  },
});
