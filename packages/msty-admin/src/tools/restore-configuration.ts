import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, path, toWire } from '../schemas.ts';

export const restoreConfiguration = defineTool({
  name: 'restore_configuration',
  title: 'Restore the configuration',
  description:
    "Puts prompt templates from a backup back. Msty's own data is never written; what it would need is named.",
  keywords: 'bring back, recover, load saved settings and set-up; undo',
  input: z.object({
    backup_path: path('File of backup_configuration; ~ and $HOME work'),
    backup_json: z.string().min(1).optional().describe('Backup as JSON text'),
    restore_templates: z.boolean().default(true).describe('Restore our own templates'),
    dry_run: z.boolean().default(true).describe('Only say what would happen'),
  }),
  output: z.object({
    dry_run: z.boolean(),
    templates_to_restore: z.array(z.string()),
    replaces: z.array(z.string()),
    restored: z.int(),
    not_restored: z.array(z.string()).describe('Parts that belong to Msty and are left to its own import'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [...codes.required, ...codes.files, 'FILE_NOT_FOUND', 'VALIDATION_ERROR'],
  run: async ({ backup_path, backup_json, restore_templates, dry_run }, { service }) =>
    toWire(
      await service.system.restore({
        backupPath: backup_path,
        backupJson: backup_json,
        templates: restore_templates,
        dryRun: dry_run,
      }),
    ),
});
