import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { codes, path, persona, toWire } from '../schemas.ts';

export const syncClaudePreferences = defineTool({
  name: 'sync_claude_preferences',
  title: 'Carry over Claude preferences',
  description:
    'Builds a persona for Msty that knows the tools of Claude Desktop, and says which tools only one of the two has. Written to output_path only with dry_run false.',
  keywords: 'bring Claude Desktop and Msty together; migrate, share tools, transfer',
  input: z.object({
    output_path: path("A new .json file outside Msty's folders; ~ and $HOME work"),
    include_memory_protocol: z.boolean().default(true).describe('Say how to use memory tools'),
    include_tool_priorities: z.boolean().default(true).describe('Name the tools to prefer'),
    dry_run: z.boolean().default(true).describe('Only show the persona'),
  }),
  output: z.object({
    persona,
    claude_tools: z.array(z.string()),
    only_in_claude: z.array(z.string()).nullable(),
    only_in_msty: z.array(z.string()).nullable(),
    dry_run: z.boolean(),
    written: z.boolean(),
    output_path: z.string().nullable(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [...codes.input, ...codes.files, 'DATABASE_CONNECTION_ERROR', 'FILE_NOT_FOUND', 'VALIDATION_ERROR'],
  async run({ output_path, include_memory_protocol, include_tool_priorities, dry_run }, { service }) {
    const synced = await service.toolConfig.sync({
      outputPath: output_path,
      memoryProtocol: include_memory_protocol,
      toolPriorities: include_tool_priorities,
      dryRun: dry_run,
    });
    return { ...toWire(synced), persona: toWire(synced.persona) };
  },
});
