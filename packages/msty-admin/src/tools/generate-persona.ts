import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, modelId, PERSONA_TEMPLATES, path, persona, toWire } from '../schemas.ts';

export const generatePersona = defineTool({
  name: 'generate_persona',
  title: 'Generate a persona',
  description:
    'Builds a persona (name, system prompt, temperature, model) from a template, to enter in Msty Studio. With output_path it is also written to a new file.',
  keywords: 'new character, assistant or role; write a system prompt; design a bot',
  input: z.object({
    name: z.string().min(1).max(200).describe('Its name'),
    description: z.string().max(10_000).default('').describe('What it is for'),
    base_template: z.enum(PERSONA_TEMPLATES).default('opus').describe('Style to start from'),
    custom_instructions: z.string().max(100_000).optional().describe('Added to the system prompt'),
    temperature: z.number().min(0).max(2).default(0.7).describe('Sampling temperature'),
    model_preference: modelId.optional().describe('Model to use'),
    output_path: path("A new .json file outside Msty's folders; ~ and $HOME work"),
  }),
  output: z.object({ persona, base_template: z.string(), output_path: z.string().nullable() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [...codes.required, ...codes.files],
  async run(input, { service }) {
    const generated = await service.toolConfig.persona({
      name: input.name,
      description: input.description,
      template: input.base_template,
      instructions: input.custom_instructions,
      temperature: input.temperature,
      modelPreference: input.model_preference,
      outputPath: input.output_path,
    });
    return { ...toWire(generated), persona: toWire(generated.persona) };
  },
});
