import { toolsFor } from '@atoll-mcp/core';
import type { EmbeddingService } from './service.ts';

export const defineTool = toolsFor<EmbeddingService>();
