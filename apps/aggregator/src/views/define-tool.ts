import { toolsFor } from '@atoll-mcp/core';
import type { OverviewService } from './overview-service.ts';

export const defineTool = toolsFor<OverviewService>();
