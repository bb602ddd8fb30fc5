import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, path, toWire } from '../schemas.ts';

export const importToolConfig = defineTool({
  name: 'import_tool_config',
  title: 'Import tool configuration',
  description:
    "Checks a tool configuration and says what would be added to Claude Desktop. With dry_run false it is written, with a backup of the old file; existing tools stay. Msty's files are never written.",
  keywords: 'add MCP servers to Claude Desktop; install tools, migrate, carry over',
  input: z.object({
    config_json: z.string().min(1).optional().describe('Configuration as JSON text, such as {"mcpServers": {…}}'),
    config_file: path('File with the configuration; ~ and $HOME work'),
    source: z.enum(['claude', 'msty']).default('claude').describe('Where from, without either'),
    dry_run: z.boolean().default(true).describe('Only say what would happen'),
    include_env: z.boolean().default(false).describe('Also write values that look secret'),
  }),
  output: z.object({
    source: z.string(),
    dry_run: z.boolean(),
    valid: z.boolean(),
    problems: z.array(z.string()),
    tools_to_import: z.array(z.looseObject({ name: z.string() })),
    already_present: z.array(z.string()),
    target: z.string(),
    written: z.boolean(),
    backup: z.string().nullable(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [...codes.input, ...codes.database, ...codes.files, 'FILE_NOT_FOUND', 'VALIDATION_ERROR'],
  async run({ config_json, config_file, source, dry_run, include_env }, { service }) {
    const imported = await service.toolConfig.import({
      configJson: config_json,
      configFile: config_file,
      source,
      dryRun: dry_run,
      includeEnv: include_env,
    });
    return { ...toWire(imported), tools_to_import: imported.toolsToImport.map(toWire) };
  },
});
