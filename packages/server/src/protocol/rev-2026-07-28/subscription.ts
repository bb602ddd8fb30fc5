import { type ChangeEvent, invalidParams, type McpApp } from '@atoll-mcp/core';
import { Cancellation } from '../shared/cancellation.ts';
import { changeNotification } from '../shared/changes.ts';
import { type Caller, exchange } from '../shared/exchange.ts';
import {
  type Answer,
  faultAnswer,
  type RequestId,
  type RpcRequest,
  resultAnswer,
  sendQuietly,
} from '../shared/json-rpc.ts';
import { META } from '../shared/revisions.ts';
import { callerOf, type ModernWire } from './answer.ts';
import { codec2026 } from './codec.ts';
import type { RequestEnvelope } from './envelope.ts';
import { accepts, type ListenFilter, subscriptionText, supportedFilter } from './listen-filter.ts';

/** A stream of changes that a client opened with `subscriptions/listen`. */
export interface Subscription {
  readonly id: RequestId;
  /** The server announces none of the changes that were asked for. */
  readonly isEmpty: boolean;
  changed(event: ChangeEvent): void;
  /** Ends it; returns the message that tells the client. */
  close(): string;
}

/** Begins a `subscriptions/listen`: acknowledges it through `wire.send`, or returns an error. */
export async function subscribe(
  app: McpApp,
  request: RpcRequest,
  envelope: RequestEnvelope,
  wire: ModernWire,
): Promise<Subscription | Answer> {
  const { id } = request;
  const { path } = wire;
  const filter = supportedFilter(
    request.params?.notifications,
    app.capabilities({ era: 'modern', ...(path !== undefined && { path }) }),
  );
  if (!filter)
    return faultAnswer(
      id,
      invalidParams('notifications must say which changes to listen to, and at most 1000 resources'),
    );
  const caller = callerOf(envelope, wire);
  await forEachResource('resources/subscribe', app, filter, caller, wire);
  const acknowledged = subscriptionText(id, 'notifications/subscriptions/acknowledged', { notifications: filter });
  await sendQuietly(wire.send, acknowledged);
  let isOpen = true;
  return {
    id,
    isEmpty: Object.keys(filter).length === 0,
    changed(event) {
      if (!isOpen || !accepts(filter, event)) return;
      const { method, params } = changeNotification(event);
      void sendQuietly(wire.send, subscriptionText(id, method, params));
    },
    close() {
      if (isOpen) void forEachResource('resources/unsubscribe', app, filter, caller, wire);
      isOpen = false;
      const _meta = { [META.subscriptionId]: id };
      return resultAnswer(id, codec2026.encodeResult(app, request, { _meta })).text;
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
  // The app learns of the end of a subscription even if its client has disconnected.
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
