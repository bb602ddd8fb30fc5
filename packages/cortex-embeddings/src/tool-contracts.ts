import { inputSchemaOf, type JsonSchema, toJsonSchema } from '@atoll-mcp/core';
import { contract } from './contract.ts';
import { errorMeanings } from './errors.ts';

/** A tool's contract as plain JSON Schema, for programs that inspect it. */
export interface ToolContract {
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly error: JsonSchema;
  readonly example: unknown;
  /** What each code means. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The contract of every tool, by its name. */
export const TOOL_CONTRACTS: Readonly<Record<string, ToolContract>> = Object.fromEntries(
  contract.tools.map((tool) => {
    const input = inputSchemaOf(tool);
    const [example] = Array.isArray(input.examples) ? input.examples : [];
    const toolContract: ToolContract = {
      description: tool.description,
      input,
      output: toJsonSchema(tool.output, 'output'),
      error: toJsonSchema(contract.envelope.failure, 'output'),
      example,
      errors: Object.fromEntries(tool.errors.map((code) => [code, errorMeanings[code] ?? ''])),
    };
    return [tool.name, toolContract];
  }),
);
