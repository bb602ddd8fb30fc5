import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, TAGS, toWire } from '../schemas.ts';

export const listLocalModelFiles = defineTool({
  name: 'list_local_model_files',
  title: 'List local model files',
  description: 'Lists model files on this machine (Msty, Ollama, LM Studio) with name, size and format, largest first.',
  keywords: 'GGUF, safetensors and MLX files on disk; downloaded LLMs, biggest, space used',
  input: z.object({}),
  output: z.object({
    files: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        size_gb: z.number().nullable(),
        format: z.string(),
        tags: z.array(z.enum(TAGS)),
      }),
    ),
    total_files: z.int(),
    total_size_gb: z.number(),
    locations: z.array(z.string()),
  }),
  annotations: looks,
  errors: codes.input,
  async run(_, { service }) {
    const found = await service.models.files();
    return { ...toWire(found), files: found.files.map(toWire) };
  },
});
