import { toolsFor } from '@atoll-mcp/core';
import type { AdminService } from './admin-service.ts';

export const defineTool = toolsFor<AdminService>();
