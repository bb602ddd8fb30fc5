import { toolsFor } from '@atoll-mcp/core';
import type { MstyService } from './service.ts';

export const defineTool = toolsFor<MstyService>();
