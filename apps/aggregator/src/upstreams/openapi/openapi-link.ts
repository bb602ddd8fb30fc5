import { type Json, METHOD_NOT_FOUND, ProtocolFault } from '@atoll-mcp/core';
import { argumentProblem } from '../../code-mode/check-arguments.ts';
import { callTimedOut } from '../../errors.ts';
import type { Link, UpstreamRequest } from '../interface.ts';
import { resultOf } from './answer.ts';
import { encodeBody } from './body.ts';
import type { SecuritySchemes } from './credentials.ts';
import type { HttpExchange } from './exchange.ts';
import type { Operation } from './operations.ts';
import { placeArguments, UnusableArgument } from './parameters.ts';

interface OpenApiLinkOptions {
  readonly name: string;
  readonly serverInfo: Json;
  readonly instructions: string | undefined;
  readonly operations: readonly Operation[];
  readonly base: URL;
  /** Configured headers, sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly schemes: SecuritySchemes;
  readonly exchange: HttpExchange;
}

/** Calls of tools as requests of an HTTP API. */
export class OpenApiLink implements Link {
  readonly era = 'modern';
  readonly probe = 'ping';
  readonly capabilities: Json = { tools: {} };
  readonly serverInfo: Json;
  readonly instructions?: string;
  readonly #options: OpenApiLinkOptions;
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(options: OpenApiLinkOptions) {
    this.#options = options;
    this.serverInfo = options.serverInfo;
    if (options.instructions !== undefined) this.instructions = options.instructions;
    this.#operations = new Map(options.operations.map((operation) => [operation.tool.name, operation]));
  }

  async request({ method, params, context, timeoutMs }: UpstreamRequest): Promise<Json> {
    if (method !== 'tools/call') return this.ask(method);
    const operation = this.#operations.get(String(params.name));
    if (!operation) return failed(`Unknown operation "${params.name}"`);
    const args = (params.arguments ?? {}) as Json;
    const problem = argumentProblem(operation.tool.inputSchema, args);
    if (problem !== undefined) return failed(problem);
    try {
      return await this.#call(operation, args, context.signal, timeoutMs);
    } catch (error) {
      if (error instanceof UnusableArgument) return failed(error.message);
      throw error;
    }
  }

  async ask(method: string): Promise<Json> {
    if (method === 'tools/list') return { tools: this.#options.operations.map(({ tool }) => tool) };
    if (method === 'ping') return {};
    throw new ProtocolFault(METHOD_NOT_FOUND, `An HTTP API has no "${method}"`);
  }

  async #call(operation: Operation, args: Json, caller: AbortSignal, timeoutMs: number): Promise<Json> {
    const { name, base, headers, schemes, exchange } = this.#options;
    const parts = placeArguments(operation.path, operation.parameters, args);
    const credentials = schemes.for(operation.security);
    const { body } = operation;
    const value = body && Object.hasOwn(args, body.argument) ? args[body.argument] : undefined;
    const encoded =
      body && value !== undefined ? await encodeBody(body.kind, body.mediaType, value, body.files) : undefined;
    const url = new URL(base);
    url.pathname = `${base.pathname.replace(/\/$/, '')}${parts.path}`;
    const secrets = credentials.query.map((pair) => pair.map(encodeURIComponent).join('='));
    url.search = [base.search.slice(1), parts.query, ...secrets].filter((part) => part !== '').join('&');
    const cookies = [parts.headers.cookie, credentials.headers.cookie].filter((cookie) => cookie !== undefined);
    const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
    try {
      const answer = await exchange.send({
        method: operation.method,
        url,
        headers: {
          accept: 'application/json, */*;q=0.5',
          'user-agent': 'atoll',
          ...parts.headers,
          ...(encoded && { 'content-type': encoded.contentType }),
          // Last, so that no argument replaces them.
          ...lowerCased(headers),
          ...credentials.headers,
          ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
        },
        ...(encoded && { body: encoded.bytes }),
        signal: timeout ? AbortSignal.any([caller, timeout]) : caller,
      });
      return resultOf(answer, { login: adviceFor(name, operation.security) });
    } catch (error) {
      if (timeout?.aborted && !caller.aborted) throw callTimedOut(name, timeoutMs);
      throw error;
    }
  }

  notify(): void {}

  async watch(): Promise<void> {}

  async close(): Promise<void> {
    this.#options.exchange.close();
  }
}

const failed = (text: string): Json => ({ content: [{ type: 'text', text }], isError: true });

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function adviceFor(name: string, security: readonly Json[]): string {
  const schemes = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))];
  const field = schemes.length > 0 ? `"auth" (${schemes.join(', ')})` : '"headers"';
  return `A person may have to set ${field} of the server "${name}" in Atoll's configuration.`;
}
