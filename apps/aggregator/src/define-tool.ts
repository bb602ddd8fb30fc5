import { toolsFor } from '@atoll-mcp/core';
import type { OverviewService } from './overview.ts';

export const defineTool = toolsFor<OverviewService>();
