import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, message, modelId, TEMPLATE_CATEGORIES, template, toWire } from '../schemas.ts';

export const createPromptTemplate = defineTool({
  name: 'create_prompt_template',
  title: 'Create a prompt template',
  description:
    'Stores a prompt with {{variable}} placeholders for run_prompt_template. Replaces a template of the same name.',
  keywords: 'save a reusable prompt with blanks, variables, fields; snippet, form',
  input: z.object({
    name: z.string().trim().min(1).max(200).describe('Unique name'),
    template: message.describe('Text with {{variable}} placeholders'),
    description: z.string().max(10_000).default('').describe('What it is for'),
    variables: z
      .array(z.string().min(1).max(200))
      .max(200)
      .optional()
      .describe('Variable names; default found in the template'),
    preferred_model: modelId.optional().describe('Recommended model'),
    category: z.enum(TEMPLATE_CATEGORIES).default('general').describe('Kind of work'),
  }),
  output: template.extend({ replaced: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [...codes.required, ...codes.files],
  run: async (input, { service }) =>
    toWire(
      await service.templates.create({
        name: input.name,
        template: input.template,
        description: input.description,
        variables: input.variables,
        preferredModel: input.preferred_model,
        category: input.category,
      }),
    ),
});
