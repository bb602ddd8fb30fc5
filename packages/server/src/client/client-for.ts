import type { Contract, Tool } from '@atoll-mcp/core';
import { envelopeOf, isObject } from '@atoll-mcp/core';
import type { z } from 'zod';
import type { MessageTransport } from '../stdio/connect-transport.ts';

type ToolOf<C extends Contract<never>, Name> = Extract<C['tools'][number], { readonly name: Name }>;
type NameOf<C extends Contract<never>> = C['tools'][number]['name'];
type InputOf<T> = T extends { readonly input: infer Input extends z.ZodType } ? z.input<Input> : never;
type OutputOf<T> = T extends { readonly output: infer Output extends z.ZodType } ? z.output<Output> : never;
type CodeOf<T> = T extends { readonly errors: readonly (infer Code)[] } ? Code : never;

/** A tool answered with a failure. `code` is one that the contract declares for the tool, where its answers carry codes. */
export class ToolCallError<Code extends string = string> extends Error {
  override readonly name = 'ToolCallError';
  readonly tool: string;
  readonly code: Code | undefined;
  /** The failure body as the server sent it. */
  readonly body: unknown;

  constructor(tool: string, message: string, code: Code | undefined, body: unknown) {
    super(message);
    this.tool = tool;
    this.code = code;
    this.body = body;
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ContractClient<C extends Contract<never>> {
  /** Calls a tool and returns its output without the server's envelope. Throws `ToolCallError` for a failure. */
  call<Name extends NameOf<C>>(
    name: Name,
    args: InputOf<ToolOf<C, Name>>,
    options?: CallOptions,
  ): Promise<OutputOf<ToolOf<C, Name>>>;
  /** Whether an error is a failure of that tool, with its declared codes. */
  isFailureOf<Name extends NameOf<C>>(name: Name, error: unknown): error is ToolCallError<CodeOf<ToolOf<C, Name>>>;
  close(): Promise<void>;
}

/** A client with the types of a contract, on any transport of the official SDK. Needs `@modelcontextprotocol/client`. */
export async function clientFor<const C extends Contract<never>>(
  contract: C,
  transport: MessageTransport,
): Promise<ContractClient<C>> {
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: `${contract.name}-client`, version: contract.version });
  await client.connect(transport as never);
  const tools = new Map<string, Tool<never>>(contract.tools.map((tool) => [tool.name, tool]));
  return {
    async call(name, args, { signal } = {}) {
      const tool = tools.get(name);
      if (!tool) throw new TypeError(`The contract of ${contract.name} has no tool "${name}"`);
      const answer = await client.callTool({ name, arguments: args as never }, signal ? { signal } : {});
      const envelope = envelopeOf(contract, tool);
      const body = bodyOf(answer);
      if (answer.isError) throw failureOf(name, body);
      const success = unwrapped(envelope.success(tool.output), body);
      return tool.output.parse(envelope.readOutput ? envelope.readOutput(success) : success) as never;
    },
    isFailureOf: (name, error): error is never => error instanceof ToolCallError && error.tool === name,
    close: () => client.close(),
  };
}

/** Sentences travel as text only. */
function bodyOf({ structuredContent, content }: { structuredContent?: unknown; content?: unknown }): unknown {
  if (structuredContent !== undefined) return structuredContent;
  const [first] = Array.isArray(content) ? content : [];
  const text = isObject(first) ? first.text : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A body that is not an object reaches clients of 2025 revisions as `{ result }`. */
function unwrapped(success: z.ZodType, body: unknown): unknown {
  return isObject(body) && 'result' in body && !success.safeParse(body).success ? body.result : body;
}

/** Failure bodies are a sentence, `{ code?, message }`, or one of these below `error`. */
function failureOf(tool: string, body: unknown): ToolCallError {
  const failure = isObject(body) && body.error !== undefined ? body.error : body;
  if (!isObject(failure)) return new ToolCallError(tool, String(failure), undefined, body);
  const { code, message } = failure;
  const text = typeof message === 'string' ? message : JSON.stringify(failure);
  return new ToolCallError(tool, text, typeof code === 'string' ? code : undefined, body);
}
