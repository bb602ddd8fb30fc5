import { type Contract, isObject, type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { z } from 'zod';
import { type AtollServer, createServer, type ServerOptions } from '../create-server.ts';
import { codecOf } from '../protocol/codecs.ts';
import { wantedParams } from '../protocol/shared/exchange.ts';
import { META } from '../protocol/shared/revisions.ts';

/** What both lines of the official SDK have in common: `Server` of `@modelcontextprotocol/sdk` 1.x and of `@modelcontextprotocol/server` 2.x. */
interface SdkServer {
  registerCapabilities(capabilities: Json): void;
  setRequestHandler(target: unknown, handler: SdkHandler): void;
  getClientVersion?(): { name: string; version: string } | undefined;
  getClientCapabilities?(): Json | undefined;
}

type SdkHandler = (request: { params?: Json }, context: SdkContext) => Promise<Json>;

/** The context that a handler gets: 1.x has these at the top, 2.x below `mcpReq`. */
interface SdkContext {
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
  readonly _meta?: Json;
  readonly sendNotification?: (notification: Json) => Promise<void>;
  readonly mcpReq?: {
    readonly signal: AbortSignal;
    readonly _meta?: Json;
    readonly envelope?: Json;
    notify(notification: Json): Promise<void>;
  };
}

/** Anything the official SDK calls a server: an `McpServer` of either line, or the `Server` below it. */
export type MountTarget = object;

/**
 * Serves a contract from a server of the official SDK, beside whatever else that server does. Call it before the server
 * connects. The SDK itself is not imported: the caller's own copy is used.
 */
export function mountContract<Service>(
  target: MountTarget,
  contract: Contract<Service>,
  options: ServerOptions<Service>,
): AtollServer<Service> {
  const app = createServer(contract, options);
  const server = sdkServerOf(target);
  const { tools, ...others } = app.capabilities({ era: 'legacy' });
  // What changes is not announced here: subscriptions are the SDK server's own.
  server.registerCapabilities({ tools, ...withoutSubscriptions(others) });
  for (const method of methodsOf(contract)) {
    addHandler(server, method, async ({ params = {} }, context) => {
      let tool: Json | undefined;
      const foundTool = (found: Json) => {
        tool = found;
      };
      const request = { ...requestContext(server, params, context), foundTool };
      const result = parsedResult(await app.handle(method, params, request));
      return codecOf(request.era).encodeResult(app, { method, tool }, result) as Json;
    });
  }
  return app;
}

function sdkServerOf(target: MountTarget): SdkServer {
  const { server = target } = target as { server?: object };
  if (typeof (server as Partial<SdkServer>).setRequestHandler === 'function') return server as SdkServer;
  throw new TypeError(
    'mountContract takes an McpServer or Server of @modelcontextprotocol/sdk or @modelcontextprotocol/server',
  );
}

function methodsOf(contract: Contract<never>): readonly string[] {
  const { resources, prompts } = contract;
  return [
    'tools/list',
    'tools/call',
    ...(resources ? ['resources/list', 'resources/templates/list', 'resources/read'] : []),
    ...(prompts ? ['prompts/list', 'prompts/get'] : []),
    ...(resources || prompts ? ['completion/complete'] : []),
  ];
}

function withoutSubscriptions({ resources, ...rest }: Json): Json {
  return { ...rest, ...(resources !== undefined && { resources: {} }) };
}

/** 2.x takes the name of a method; 1.x takes a schema with that name and refuses a string. */
function addHandler(server: SdkServer, method: string, handler: SdkHandler): void {
  try {
    server.setRequestHandler(method, handler);
  } catch {
    const schema = z.object({ method: z.literal(method), params: z.looseObject({}).optional() });
    server.setRequestHandler(schema, handler);
  }
}

function requestContext(server: SdkServer, params: Json, context: SdkContext): RequestContext {
  const { mcpReq } = context;
  const envelope = mcpReq?.envelope;
  const info = envelope?.[META.clientInfo] ?? server.getClientVersion?.();
  const named = isObject(info) ? info : {};
  const meta = mcpReq?._meta ?? context._meta ?? (isObject(params._meta) ? params._meta : {});
  return {
    era: envelope === undefined ? 'legacy' : 'modern',
    client: {
      id: context.sessionId ?? 'sdk',
      ...(typeof named.name === 'string' && { name: named.name }),
      ...(typeof named.version === 'string' && { version: named.version }),
    },
    capabilities: server.getClientCapabilities?.() ?? {},
    meta,
    signal: mcpReq?.signal ?? context.signal ?? new AbortController().signal,
    async notify(method, notificationParams) {
      const wanted = wantedParams(method, notificationParams, meta, 'debug');
      if (!wanted) return;
      const notification = { method, params: wanted };
      await (mcpReq ? mcpReq.notify(notification) : context.sendNotification?.(notification));
    },
  };
}
