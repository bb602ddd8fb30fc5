import {
  type ChangeEvent,
  invalidParams,
  type Json,
  type Logger,
  type McpApp,
  methodNotFound,
  type Principal,
} from '@atoll-mcp/core';
import { Cancellation } from './cancellation.ts';
import { accepts, changeNotification, honoured, type ListenFilter, subscriptionText } from './changes.ts';
import { type Caller, exchange } from './exchange.ts';
import {
  type Answer,
  faultAnswer,
  type RequestId,
  type RpcRequest,
  resultAnswer,
  type Send,
  sendIfHeard,
} from './json-rpc.ts';
import type { ModernEnvelope } from './modern-envelope.ts';
import { META, MODERN_VERSIONS } from './revisions.ts';
import { wireResult } from './wire-result.ts';

/** Methods of the older revisions that this one took away. */
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
  /** Stands for the sender where nothing else does: a connection, an address. */
  readonly clientId: string;
  readonly path?: string | undefined;
  readonly principal?: Principal | undefined;
}

/** Answers one self-contained request of 2026-07-28; `subscriptions/listen` is a stream and has its own function. */
export function answerModern(
  app: McpApp,
  request: RpcRequest,
  envelope: ModernEnvelope,
  wire: ModernWire,
  done: (answer: Answer) => void,
): void {
  if (REMOVED.has(request.method)) return void done(faultAnswer(request.id, methodNotFound(request.method)));
  if (request.method === 'server/discover') {
    return void done(
      resultAnswer(request.id, wireResult(app, 'modern', 'server/discover', discovered(app, wire.path))),
    );
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

function callerOf({ clientInfo, capabilities, logLevel }: ModernEnvelope, wire: ModernWire): Caller {
  const { name, version } = clientInfo;
  return {
    era: 'modern',
    client: { id: wire.principal?.id ?? wire.clientId, ...(name && { name }), ...(version && { version }) },
    capabilities,
    logLevel,
    path: wire.path,
    principal: wire.principal,
  };
}

/** A stream of changes that a modern client opened. */
export interface Subscription {
  readonly id: RequestId;
  /** Nothing that was asked for is ever told here. */
  readonly isEmpty: boolean;
  changed(event: ChangeEvent): void;
  /** Ends it; the text is what tells the client that the server did so. */
  close(): string;
}

/** Begins a `subscriptions/listen`: acknowledges it through `wire.send`, or says why not. */
export async function subscribe(
  app: McpApp,
  request: RpcRequest,
  envelope: ModernEnvelope,
  wire: ModernWire,
): Promise<Subscription | Answer> {
  const { id } = request;
  const { path } = wire;
  const filter = honoured(
    request.params?.notifications,
    app.capabilities({ era: 'modern', ...(path !== undefined && { path }) }),
  );
  if (!filter) return faultAnswer(id, invalidParams('notifications must say which changes to listen to'));
  const caller = callerOf(envelope, wire);
  await forEachResource('resources/subscribe', app, filter, caller, wire);
  const acknowledged = subscriptionText(id, 'notifications/subscriptions/acknowledged', { notifications: filter });
  await sendIfHeard(wire.send, acknowledged);
  let isOpen = true;
  return {
    id,
    isEmpty: Object.keys(filter).length === 0,
    changed(event) {
      if (!isOpen || !accepts(filter, event)) return;
      const { method, params } = changeNotification(event);
      void sendIfHeard(wire.send, subscriptionText(id, method, params));
    },
    close() {
      if (isOpen) void forEachResource('resources/unsubscribe', app, filter, caller, wire);
      isOpen = false;
      const _meta = { [META.subscriptionId]: id };
      return resultAnswer(id, wireResult(app, 'modern', 'subscriptions/listen', { _meta })).text;
    },
  };
}

async function forEachResource(
  method: string,
  app: McpApp,
  filter: ListenFilter,
  caller: Caller,
  wire: ModernWire,
): Promise<void> {
  const send = () => {};
  // The end of a subscription is told to the app also when its caller has gone.
  const cancellation = new Cancellation();
  // An app that has nothing to do for a subscription does not know the method, which is fine.
  await Promise.all(
    (filter.resourceSubscriptions ?? []).map(
      (uri) =>
        new Promise((resolve) => {
          const request = { id: 0, method, params: { uri } };
          exchange(app, request, caller, { log: wire.log, send, cancellation }, resolve);
        }),
    ),
  );
}
