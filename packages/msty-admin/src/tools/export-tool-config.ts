import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, looks, row } from '../schemas.ts';

export const exportToolConfig = defineTool({
  name: 'export_tool_config',
  title: 'Export tool configuration',
  description:
    'Returns the MCP tools of Claude Desktop or of Msty in the form of either program. Secrets and environment values are left out unless include_env is true. Writes nothing.',
  input: z.object({
    tool_name: z.string().min(1).optional().describe('Only this tool; all of them when left out'),
    source: z.enum(['claude', 'msty']).default('claude').describe('Where the tools are configured now'),
    output_format: z.enum(['msty', 'claude']).default('msty').describe('The program the result is meant for'),
    include_env: z.boolean().default(false).describe('Include environment values, which often are secrets'),
  }),
  output: z.object({
    source: z.string(),
    output_format: z.string(),
    includes_env: z.boolean(),
    tools: z.array(z.looseObject({ name: z.string() })),
    tool_count: z.int(),
    config: row,
  }),
  annotations: looks,
  errors: [...codes.input, ...codes.database, 'FILE_NOT_FOUND', 'PERMISSION_ERROR', 'IO_ERROR', 'VALIDATION_ERROR'],
  run: ({ tool_name, source, output_format, include_env }, { service }) =>
    service.toolConfig.export({ toolName: tool_name, source, format: output_format, includeEnv: include_env }),
});
