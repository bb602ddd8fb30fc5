import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, TEMPLATE_CATEGORIES, template, toWire } from '../schemas.ts';

export const listPromptTemplates = defineTool({
  name: 'list_prompt_templates',
  title: 'List prompt templates',
  description: 'Lists the stored templates, most used first.',
  keywords: 'saved reusable prompts, snippets',
  input: z.object({ category: z.enum(TEMPLATE_CATEGORIES).optional().describe('Only this category') }),
  output: z.object({ templates: z.array(template), count: z.int() }),
  annotations: looks,
  errors: [...codes.input, ...codes.files],
  async run({ category }, { service }) {
    const { templates, count } = await service.templates.list(category);
    return { templates: templates.map(toWire), count };
  },
});
