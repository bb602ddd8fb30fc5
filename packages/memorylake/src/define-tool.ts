import { toolsFor } from '@atoll-mcp/core';
import type { Lake } from './service.ts';

export const defineTool = toolsFor<Lake>();
