import type { CallContext, Prompt } from '@atoll-mcp/core';
import { invalidParams, type Json } from '@atoll-mcp/core';

export function listedPrompts<Service>(prompts: readonly Prompt<Service>[]): Json {
  return {
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    })),
  };
}

export async function getPrompt<Service>(
  prompts: readonly Prompt<Service>[],
  params: Json,
  context: () => Promise<CallContext<Service>>,
): Promise<Json> {
  const prompt = prompts.find(({ name }) => name === params.name);
  if (!prompt) throw invalidParams(`Unknown prompt "${String(params.name)}"; prompts/list lists all prompts`);
  const args = (params.arguments ?? {}) as Record<string, string>;
  const missing = prompt.arguments.filter(({ name, required }) => required && !args[name]).map(({ name }) => name);
  if (missing.length > 0) throw invalidParams(`The prompt "${prompt.name}" also needs: ${missing.join(', ')}`);
  return { description: prompt.description, messages: await prompt.get(args, await context()) };
}
