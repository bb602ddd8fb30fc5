import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { advice, codes, found, looks, toWire } from '../schemas.ts';

export const suggestPersonaImprovements = defineTool({
  name: 'suggest_persona_improvements',
  title: 'Advise on personas',
  description:
    "Suggests improvements to prompt, temperature and attachments of Msty Studio's personas. Changes nothing.",
  keywords: 'make characters and assistants better; review system prompts, tips',
  input: z.object({ persona_name: z.string().min(1).optional().describe('Only this persona') }),
  output: z.object({ personas_analysed: z.int(), suggestions: z.array(advice), ...found }),
  annotations: looks,
  errors: [...codes.input, ...codes.database],
  run: async ({ persona_name }, { service }) => toWire(await service.intelligence.personas(persona_name)),
});
