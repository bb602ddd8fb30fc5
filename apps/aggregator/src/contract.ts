import { type Contract, plain, ToolError } from '@atoll-mcp/core';
import manifest from '../package.json' with { type: 'json' };
import { atollStatus } from './tools/atoll-status.ts';
import { callTool } from './tools/call-tool.ts';
import { describeTool } from './tools/describe-tool.ts';
import { fromMemoryTables } from './tools/from-memory-tables.ts';
import { readResult } from './tools/read-result.ts';
import { runTools } from './tools/run-tools.ts';
import { saveResult } from './tools/save-result.ts';
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
  tools: [atollStatus, searchTools, describeTool, callTool, runTools, readResult, saveResult, fromMemoryTables],
};

export const CALL_TOOL = callTool.name;
export const RUN_TOOLS = runTools.name;
export const READ_RESULT = readResult.name;

/** What a view has the tools of servers for. */
export interface OwnToolNeeds {
  readonly save: boolean;
  readonly queryTables: boolean;
}

/** Whether a view has the tools of servers that one of these tools calls. */
export function hasNeedsOf(name: string, can: OwnToolNeeds): boolean {
  if (name === saveResult.name) return can.save;
  return name === fromMemoryTables.name ? can.queryTables : true;
}

/** Whether a view lists one of these tools. */
export function listsOwnTool(name: string, view: OwnToolSettings, can: OwnToolNeeds): boolean {
  if (!hasNeedsOf(name, can)) return false;
  if (name === runTools.name) return view.runsPrograms;
  if (name === searchTools.name || name === describeTool.name) return view.mode !== 'full' || view.runsPrograms;
  if (name === callTool.name) return view.mode === 'search';
  // Wherever an answer or the value of a program may be kept.
  const mayKeep = view.maxResultBytes > 0 || view.runsPrograms;
  if (name === readResult.name) return mayKeep;
  if (name === saveResult.name) return mayKeep;
  // Elsewhere it is found like the tools that it calls.
  if (name === fromMemoryTables.name) return view.mode === 'full';
  return true;
}

export interface OwnToolSettings {
  readonly mode: 'full' | 'search' | 'code';
  readonly runsPrograms: boolean;
  readonly maxResultBytes: number;
}
