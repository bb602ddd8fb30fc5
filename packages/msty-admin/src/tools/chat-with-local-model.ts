import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { asksModel, chatAnswer, chatAnswerFrom, codes, message, modelId } from '../schemas.ts';

export const chatWithLocalModel = defineTool({
  name: 'chat_with_local_model',
  title: 'Chat with a local model',
  description:
    'Sends a message to a local model and returns its answer with token counts and timing. A cut-off or empty answer is an error.',
  keywords: 'talk to, ask or prompt an offline LLM such as Llama, Qwen or Mistral; conversation, generate text',
  input: z.object({
    message: message.describe('User message'),
    model: modelId.optional().describe('Model id; default the first that can chat'),
    system_prompt: z.string().max(1_000_000).optional().describe('System prompt'),
    temperature: z.number().min(0).max(1).default(0.7).describe('Sampling temperature, 0 to 1'),
    max_tokens: z.int().min(1).max(131_072).default(2048).describe('Maximum tokens of the answer'),
    track_metrics: z.boolean().default(true).describe('Count it in get_model_performance_metrics'),
  }),
  output: chatAnswer,
  annotations: asksModel,
  errors: [...codes.required, ...codes.service, ...codes.model],
  run: async (input, { service, signal, progress }) =>
    chatAnswerFrom(
      await service.chat.answer(
        input.model,
        {
          message: input.message,
          systemPrompt: input.system_prompt,
          temperature: input.temperature,
          maxTokens: input.max_tokens,
          isTracked: input.track_metrics,
        },
        { signal, progress },
      ),
    ),
});
