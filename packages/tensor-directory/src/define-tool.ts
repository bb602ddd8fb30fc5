import { toolsFor } from '@atoll-mcp/core';
import type { TensorDirectoryService } from './service.ts';

export const defineTool = toolsFor<TensorDirectoryService>();
