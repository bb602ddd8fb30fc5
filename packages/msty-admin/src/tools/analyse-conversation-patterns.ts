import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, days, found, looks, toWire } from '../schemas.ts';

export const analyseConversationPatterns = defineTool({
  name: 'analyse_conversation_patterns',
  title: 'Analyse conversation patterns',
  description:
    'Shows when conversations take place (hour and weekday, UTC), how many a day, message lengths and the most used models.',
  keywords: 'chat habits, time of day, busiest hours, activity, statistics of messages',
  input: z.object({ days }),
  output: z.object({
    days: z.int(),
    recent_conversations: z.int().nullable(),
    conversations_per_day: z.number().nullable(),
    by_hour_utc: z.record(z.string(), z.int()).nullable(),
    by_weekday_utc: z.record(z.string(), z.int()).nullable(),
    busiest_hour_utc: z.string().nullable(),
    busiest_weekday_utc: z.string().nullable(),
    avg_message_chars: z.int().nullable(),
    top_models: z.array(z.object({ model_id: z.string(), calls: z.int() })).nullable(),
    ...found,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  async run({ days }, { service }) {
    const { topModels, ...figures } = await service.figures.patterns(days);
    return { ...toWire(figures), top_models: topModels?.map(toWire) ?? null };
  },
});
