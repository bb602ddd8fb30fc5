import { type Json, type Logger, type McpApp, methodNotFound, type Principal } from '@atoll-mcp/core';
import type { Cancellation } from '../shared/cancellation.ts';
import { type Caller, type CheckTool, exchange } from '../shared/exchange.ts';
import { type Answer, faultAnswer, type RpcRequest, resultAnswer, type Send } from '../shared/json-rpc.ts';
import { MODERN_VERSIONS } from '../shared/revisions.ts';
import { codec2026 } from './codec.ts';
import type { RequestEnvelope } from './envelope.ts';

/** Methods of older revisions that this one removed. */
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
  'tasks/result',
]);

export interface ModernWire {
  readonly send: Send;
  readonly cancellation: Cancellation;
  readonly log: Logger;
  /** Identifies the sender where there is no token: a connection, an address. */
  readonly clientId: string;
  readonly path?: string | undefined;
  readonly principal?: Principal | undefined;
  readonly checkTool?: CheckTool | undefined;
}

/** Answers one self-contained request of 2026-07-28; `subscriptions/listen` is a stream and has its own function. */
export function answerModern(
  app: McpApp,
  request: RpcRequest,
  envelope: RequestEnvelope,
  wire: ModernWire,
  done: (answer: Answer) => void,
): void {
  if (REMOVED.has(request.method)) return void done(faultAnswer(request.id, methodNotFound(request.method)));
  if (request.method === 'server/discover') {
    return void done(resultAnswer(request.id, codec2026.encodeResult(app, request, discovered(app, wire.path))));
  }
  exchange(app, request, callerOf(envelope, wire), wire, done);
}

function discovered(app: McpApp, path: string | undefined): Json {
  return {
    supportedVersions: [...MODERN_VERSIONS],
    capabilities: app.capabilities({ era: 'modern', ...(path !== undefined && { path }) }),
    ...(app.instructions && { instructions: app.instructions }),
  };
}

export function callerOf({ clientInfo, capabilities, logLevel }: RequestEnvelope, wire: ModernWire): Caller {
  const { name, version } = clientInfo;
  return {
    codec: codec2026,
    client: { id: wire.principal?.id ?? wire.clientId, ...(name && { name }), ...(version && { version }) },
    capabilities,
    logLevel,
    path: wire.path,
    principal: wire.principal,
    checkTool: wire.checkTool,
  };
}
