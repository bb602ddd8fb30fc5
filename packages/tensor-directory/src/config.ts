import { type Config, defineConfig } from '@atoll-mcp/server';
import { z } from 'zod';

export const configDefinition = defineConfig({
  program: 'tensor-directory',
  prefix: 'TENSOR_DIRECTORY',
  defaultPort: 7411,
  shape: {
    importRoot: z.array(z.string().min(1)).default([]).describe('Folder that import_tensors and import_model may read'),
    maxTensorBytes: z
      .int()
      .min(1)
      .default(2 ** 30)
      .describe('Largest tensor that is stored, in bytes of its values'),
    llmUrl: z
      .url()
      .optional()
      .describe('OpenAI-compatible endpoint for prompts that the rules cannot read, such as http://127.0.0.1:11434/v1'),
    llmModel: z
      .string()
      .min(1)
      .optional()
      .describe('Model that is asked there; llama3.2, or gemini-2.5-flash with a Gemini key alone'),
    llmApiKey: z.string().min(1).optional().meta({ description: 'Key for that endpoint', flag: false, secret: true }),
    geminiApiKey: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: "Key for Google's OpenAI-compatible endpoint, which is asked when no other is configured",
        flag: false,
        secret: true,
        env: ['GEMINI_API_KEY'],
      }),
  },
});

export type Settings = Config<typeof configDefinition>;
