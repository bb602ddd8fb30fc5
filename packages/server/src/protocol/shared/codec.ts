import type { Era, Json, McpApp, ProtocolFault, RawResult, RequestContext } from '@atoll-mcp/core';

export type Result = Json | RawResult;

/** The request that a result answers. */
export interface Answered {
  readonly method: string;
  /** The tool of a call, as `tools/list` shows it. */
  readonly tool?: Json | undefined;
}

/** What answering a request depends on in one revision of the protocol. Apps know one form only: this translates it. */
export interface Codec {
  readonly era: Era;
  /** The app's final result: where it asks the client for input, this brings the answers as the revision does. */
  handle(app: McpApp, method: string, params: Json, request: RequestContext): Promise<Result>;
  /** A result as it goes to the client; text that came from an upstream of the same revision stays as it is. */
  encodeResult(app: McpApp, request: Answered, result: Result): Result;
  /** The same as JSON, for results of which that costs less than the object and its JSON. */
  encodeText?(app: McpApp, request: Answered, result: Json): string | undefined;
  encodeFault(fault: ProtocolFault): ProtocolFault;
}
