import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, path, row, toWire } from '../schemas.ts';

export const backupConfiguration = defineTool({
  name: 'backup_configuration',
  title: 'Back up the configuration',
  description:
    'Returns personas, prompts, tools and our own templates as one document without secrets, or writes it to a new file. No conversations.',
  keywords: 'save settings, copy of the set-up; safe, archive, before reinstalling',
  input: z.object({
    output_path: path("A new .json file outside Msty's folders; default returns the backup"),
    include_personas: z.boolean().default(true).describe('Include personas'),
    include_prompts: z.boolean().default(true).describe('Include the prompt library'),
    include_templates: z.boolean().default(true).describe('Include our own templates'),
    include_tools: z.boolean().default(true).describe('Include configured tools'),
  }),
  output: z.object({
    counts: z.record(z.string(), z.int().nullable()).describe('Null for what this database has no table for'),
    output_path: z.string().nullable(),
    backup: row.optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [...codes.input, ...codes.files, 'DATABASE_CONNECTION_ERROR', 'DATABASE_NOT_FOUND'],
  run: async (input, { service }) =>
    toWire(
      await service.system.backup({
        outputPath: input.output_path,
        include: {
          personas: input.include_personas,
          prompts: input.include_prompts,
          templates: input.include_templates,
          tools: input.include_tools,
        },
      }),
    ),
});
