import type { Contract } from '@atoll-mcp/core';
import { inputSchemaOf, outputSchemaOf } from '@atoll-mcp/core';
import { type ConfigDefinition, isShared } from '../config/config.ts';
import type { ConfigField } from '../config/config-fields.ts';

/** Everything a contract says, as data: what reviewers read as a diff and the reference is made of. */
export function describeContract<Service>(contract: Contract<Service>, config?: ConfigDefinition) {
  return {
    name: contract.name,
    title: contract.title,
    version: contract.version,
    description: contract.description,
    instructions: contract.instructions,
    tools: contract.tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      annotations: tool.annotations,
      errors: tool.errors,
      ...(tool.optIn && { optIn: true as const }),
      inputSchema: inputSchemaOf(tool),
      outputSchema: outputSchemaOf(contract, tool),
    })),
    resources: (contract.resources ?? []).map(({ uriTemplate, name, title, description, mimeType }) => ({
      uriTemplate,
      name,
      title,
      description,
      ...(mimeType && { mimeType }),
    })),
    prompts: (contract.prompts ?? []).map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    })),
    ...(config && {
      config: config.fields.map((field) => ({ ...describeField(field), ...(isShared(field) && { shared: true }) })),
    }),
  };
}

export type ContractDescription = ReturnType<typeof describeContract>;

/** A setting as data. */
export function describeField({ key, flag, env, description, choices, defaultText }: ConfigField): {
  readonly key: string;
  readonly flag?: string;
  readonly env: readonly string[];
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly shared?: boolean;
} {
  return {
    key,
    ...(flag && { flag: `--${flag}` }),
    env,
    description,
    ...(choices && { choices }),
    ...(defaultText !== undefined && { default: defaultText }),
  };
}
