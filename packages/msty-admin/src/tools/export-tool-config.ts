import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, path, row, toWire } from '../schemas.ts';

export const exportToolConfig = defineTool({
  name: 'export_tool_config',
  title: 'Export tool configuration',
  description:
    'Returns the MCP tools of Claude Desktop or Msty in the form of either program, without secrets. With output_path it writes them to a new file, with the real values if include_env is true, and returns the path.',
  keywords: 'copy MCP servers from Claude Desktop to Msty; share, migrate, carry over',
  input: z.object({
    tool_name: z.string().min(1).optional().describe('Only this tool; default all'),
    source: z.enum(['claude', 'msty']).default('claude').describe('Where the tools are configured'),
    output_format: z.enum(['msty', 'claude']).default('msty').describe('Program that the result is for'),
    include_env: z
      .boolean()
      .default(false)
      .describe('Include environment variables: redacted in the answer, with values in the file'),
    output_path: path("A new .json file outside Msty's folders, readable by its owner only"),
  }),
  output: z.object({
    source: z.string(),
    output_format: z.string(),
    includes_env: z.boolean(),
    tools: z.array(z.looseObject({ name: z.string() })),
    tool_count: z.int(),
    config: row,
    output_path: z.string().nullable(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [...codes.input, ...codes.database, ...codes.files, 'FILE_NOT_FOUND', 'VALIDATION_ERROR'],
  async run({ tool_name, source, output_format, include_env, output_path }, { service }) {
    const exported = await service.toolConfig.export({
      toolName: tool_name,
      source,
      format: output_format,
      includeEnv: include_env,
      outputPath: output_path,
    });
    return { ...toWire(exported), tools: exported.tools.map(toWire) };
  },
});
