import { type Tool, toolsFor } from '@atoll-mcp/core';
import type { z } from 'zod';
import type { EmbeddingService } from './service.ts';

/** A tool that keeps the types of its schemas, for `CortexTools`. */
export interface TypedTool<Input extends z.ZodObject, Output extends z.ZodType> extends Tool<EmbeddingService> {
  readonly input: Input;
  readonly output: Output;
}

const define = toolsFor<EmbeddingService>();

export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Tool<EmbeddingService, Input, Output>,
): TypedTool<Input, Output> {
  // The same object: core's type only forgets which schemas it has.
  return define(tool) as TypedTool<Input, Output>;
}
