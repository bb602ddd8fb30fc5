import type { z } from 'zod';
import type { RequestContext } from './app.ts';
import type { Confirmation } from './confirmation.ts';
import type { Content, PromptMessage, ResourceContents } from './content.ts';
import type { Envelope } from './envelope.ts';
import type { ToolError } from './errors.ts';
import type { Logger } from './log.ts';

/** Who is asking: stable for a session, a token or a process, for limits and logs. */
export interface ClientIdentity {
  readonly id: string;
  readonly name?: string;
  readonly version?: string;
}

export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface CallContext<Service> {
  readonly service: Service;
  /** Aborted when the caller cancels, disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly client: ClientIdentity;
  readonly log: Logger;
  readonly now: () => Date;
}

export interface ToolContext<Service> extends CallContext<Service> {
  /** Tells the caller how far the work is; does nothing when the caller did not ask for progress. */
  progress(report: ProgressReport): void;
  /** Puts a picture, a link or a resource beside the body of a successful answer. */
  attach(content: Content): void;
  /**
   * Asks the user to confirm. The run ends here until the user has answered and begins again with the answer, so nothing may be
   * changed before.
   */
  confirm(message: string): Promise<Confirmation>;
  /** The request, where there is one, for servers that make further requests for its caller. */
  readonly request?: RequestContext;
}

/** All four hints of the protocol are required: for a missing one each client assumes a default of its own. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool<
  Service,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Name extends string = string,
  Code extends string = string,
> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  /** What people call the things it does and handles, beyond its description. A search for tools uses it; it is not listed. */
  readonly keywords?: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolHints;
  /** Codes this tool may fail with, for docs and tests. */
  readonly errors: readonly Code[];
  /** Not listed unless the configuration asks for it. */
  readonly optIn?: true;
  /** The parts of its server's envelope that the tool overrides. */
  readonly envelope?: Partial<Envelope>;
  /** The protocol's open field, for extensions such as a user interface of the tool. */
  readonly meta?: Readonly<Record<string, unknown>>;
  run(input: z.output<Input>, context: ToolContext<Service>): Promise<z.input<Output>> | z.input<Output>;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** A family of resources; a template without variables is a single resource. */
export interface Resource<Service> {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The resources there are, in a fixed order. Left out: only the template is shown. */
  list?(page: { offset: number; limit: number }, context: CallContext<Service>): Promise<readonly ListedResource[]>;
  /** Suggestions for a variable, by what was typed so far. */
  readonly complete?: Readonly<
    Record<string, (typed: string, context: CallContext<Service>) => Promise<readonly string[]>>
  >;
  /** The contents, or `undefined` when there is no such resource. */
  read(
    variables: Readonly<Record<string, string>>,
    context: CallContext<Service>,
    uri: string,
  ): Promise<readonly ResourceContents[] | undefined>;
}

export interface Prompt<Service> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required?: boolean }[];
  readonly complete?: Readonly<
    Record<string, (typed: string, context: CallContext<Service>) => Promise<readonly string[]>>
  >;
  get(args: Readonly<Record<string, string>>, context: CallContext<Service>): Promise<readonly PromptMessage[]>;
}

export interface Contract<Service> {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** What a model should know before it uses the server. */
  readonly instructions: string;
  readonly envelope: Envelope;
  /** The two failures that core itself raises, with this server's codes and messages. */
  readonly failures: {
    invalidInput(issues: readonly z.core.$ZodIssue[], call: { tool: string; args: unknown }): ToolError;
    internal(cause: unknown, call: { tool: string; args: unknown }): ToolError;
  };
  /** Rewrites arguments before they are checked, for servers that accept an older wire form. */
  readonly acceptArguments?: (args: unknown, tool: string) => unknown;
  readonly tools: readonly Tool<Service>[];
  readonly resources?: readonly Resource<Service>[];
  readonly prompts?: readonly Prompt<Service>[];
}

/** Fixes the service type once per package, so tool files infer the rest. */
export function toolsFor<Service>() {
  return function defineTool<
    Input extends z.ZodObject,
    Output extends z.ZodType,
    const Name extends string,
    const Code extends string = never,
  >(tool: Tool<Service, Input, Output, Name, Code>): Tool<Service, Input, Output, Name, Code> {
    return tool;
  };
}
