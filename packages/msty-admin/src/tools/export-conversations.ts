import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, found, limit, looks, toWire } from '../schemas.ts';

export const exportConversations = defineTool({
  name: 'export_conversations',
  title: 'Export conversations',
  description:
    'Returns conversations with their messages as JSON, Markdown or CSV, newest first, secrets redacted. Writes nothing.',
  keywords: 'download, save, archive or back up chats; chat history, log, transcript as a file',
  input: z.object({
    output_format: z.enum(['json', 'markdown', 'csv']).default('json').describe('Form of the export'),
    days: z.int().min(1).max(3650).optional().describe('Only those active in so many days'),
    model_filter: z.string().min(1).max(1000).optional().describe('Only models whose id contains this'),
    limit: limit(100, 10_000, 'Maximum conversations'),
  }),
  output: z.object({
    format: z.string(),
    count: z.int(),
    includes_messages: z.boolean(),
    truncated: z.boolean().describe('True when there was more than one answer can carry'),
    conversations: z
      .array(
        z.object({
          id: z.string(),
          table: z.string().describe('Ids are unique within a table'),
          title: z.string(),
          created_at: z.string().nullable(),
          models: z.array(z.string()),
          messages: z.array(z.object({ role: z.string(), content: z.string(), created_at: z.string().nullable() })),
        }),
      )
      .optional(),
    content: z.string().optional().describe('The Markdown or CSV text'),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  async run({ output_format, days, model_filter, limit }, { service }) {
    const { conversations, ...facts } = await service.conversations.export({
      format: output_format,
      days,
      model: model_filter,
      limit,
    });
    return {
      ...toWire(facts),
      ...(conversations && {
        conversations: conversations.map((one) => ({ ...toWire(one), messages: one.messages.map(toWire) })),
      }),
    };
  },
});
