import { type Contract, plain, ToolError } from '@atoll-mcp/core';
import manifest from '../package.json' with { type: 'json' };
import { atollStatus } from './tools/atoll-status.ts';
import { callTool } from './tools/call-tool.ts';
import { describeTool } from './tools/describe-tool.ts';
import { searchTools } from './tools/search-tools.ts';
import type { OverviewService } from './views/overview-service.ts';

export const VERSION: string = manifest.version;

/** The aggregator's own tools. Everything else it lists belongs to the servers behind it. */
export const contract: Contract<OverviewService> = {
  name: 'atoll',
  title: 'Atoll',
  version: VERSION,
  description: 'Several MCP servers behind one endpoint',
  instructions: 'Several servers answer here together. atoll_status shows which of them are up.',
  envelope: plain,
  failures: {
    invalidInput: (issues) =>
      new ToolError('INVALID_ARGUMENTS', issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')),
    internal: () => new ToolError('INTERNAL', 'Atoll could not answer this; its log says why'),
  },
  tools: [atollStatus, searchTools, describeTool, callTool],
};

/** Own tools that only `mode: "search"` lists; it lists all own tools. */
export const SEARCH_TOOLS: ReadonlySet<string> = new Set([searchTools.name, describeTool.name, callTool.name]);
export const CALL_TOOL = callTool.name;
