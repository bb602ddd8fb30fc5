import { toolsFor } from '@atoll-mcp/core';
import type { MemoryLakeService } from './service.ts';

export const defineTool = toolsFor<MemoryLakeService>();
