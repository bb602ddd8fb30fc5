import { randomUUID } from 'node:crypto';
import { ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server';
import { type Era, type Json, type McpApp, ProtocolFault, type RequestContext } from './app.ts';
import { parsedResult } from './raw-result.ts';

const METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
] as const;

const CAPABILITY_OF: Record<string, string> = { completion: 'completions' };

/** An SDK server that passes every request of one connection to an app. */
export function sdkServerFor(app: McpApp, era: Era, path?: string): { server: Server; stop: () => void } {
  const capabilities = app.capabilities({ era, ...(path && { path }) });
  const server = new Server(app.info, {
    capabilities,
    ...(app.instructions && { instructions: app.instructions }),
  });
  const connectionId = randomUUID();
  const answer = (method: string) => async (request: { params?: unknown }, context: ServerContext) => {
    try {
      return parsedResult(
        await app.handle(method, withoutMeta(request.params), requestOf(server, context, era, connectionId, path)),
      );
    } catch (error) {
      throw error instanceof ProtocolFault ? ProtocolError.fromError(error.code, error.message, error.data) : error;
    }
  };
  for (const method of METHODS) {
    const room = method.split('/')[0]!;
    if ((CAPABILITY_OF[room] ?? room) in capabilities) server.setRequestHandler(method, answer(method) as never);
  }
  const stop = app.onChange((event) => {
    const params = event.kind === 'resource' ? { uri: event.uri } : {};
    const name = event.kind === 'resource' ? 'resources/updated' : `${event.kind}/list_changed`;
    // A connection that has just closed has nobody left to tell.
    server.notification({ method: `notifications/${name}`, params }).catch(() => {});
  });
  return { server, stop };
}

function requestOf(server: Server, context: ServerContext, era: Era, id: string, path?: string): RequestContext {
  const { mcpReq } = context;
  const envelope = (mcpReq.envelope ?? {}) as Json;
  const info = (envelope['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion() ?? {}) as {
    name?: string;
    version?: string;
  };
  const state = mcpReq.requestState<string>();
  return {
    era,
    client: {
      id: context.sessionId ?? id,
      ...(info.name && { name: info.name }),
      ...(info.version && { version: info.version }),
    },
    capabilities: (envelope['io.modelcontextprotocol/clientCapabilities'] ??
      server.getClientCapabilities() ??
      {}) as Json,
    meta: { ...envelope, ...mcpReq._meta },
    signal: mcpReq.signal,
    notify: (method, params) => mcpReq.notify({ method, params }),
    ...(era === 'legacy' && { ask: (method, params) => mcpReq.send({ method, params } as never) as Promise<Json> }),
    ...(mcpReq.inputResponses && { inputResponses: mcpReq.inputResponses }),
    ...(state !== undefined && { requestState: state }),
    ...(path && { path }),
  };
}

function withoutMeta(params: unknown): Json {
  const { _meta, ...rest } = (params ?? {}) as Json;
  return rest;
}
