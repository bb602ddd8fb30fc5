import type { ChangeEvent, Json } from '@atoll-mcp/core';
import { isObject } from '@atoll-mcp/core';
import { notificationText } from './json-rpc.ts';
import { META } from './revisions.ts';

/** What a modern client wants to hear of. */
export interface ListenFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

export function changeNotification(event: ChangeEvent): { method: string; params: Json } {
  return event.kind === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: event.uri } }
    : { method: `notifications/${event.kind}/list_changed`, params: {} };
}

/** The part of a wish that the server can fulfil; `undefined` when it is no wish at all. */
export function honoured(requested: unknown, capabilities: Json): ListenFilter | undefined {
  if (!isObject(requested)) return undefined;
  const { resourceSubscriptions: uris } = requested;
  const areUris = Array.isArray(uris) && uris.every((uri) => typeof uri === 'string');
  if (uris !== undefined && !areUris) return undefined;
  const offers = (list: string, what: string) => (capabilities[list] as Json | undefined)?.[what] === true;
  return {
    ...(requested.toolsListChanged === true && offers('tools', 'listChanged') && { toolsListChanged: true }),
    ...(requested.promptsListChanged === true && offers('prompts', 'listChanged') && { promptsListChanged: true }),
    ...(requested.resourcesListChanged === true &&
      offers('resources', 'listChanged') && { resourcesListChanged: true }),
    ...(areUris && uris.length > 0 && offers('resources', 'subscribe') && { resourceSubscriptions: uris }),
  };
}

export function accepts(filter: ListenFilter, event: ChangeEvent): boolean {
  if (event.kind === 'resource') return filter.resourceSubscriptions?.includes(event.uri) ?? false;
  return filter[`${event.kind}ListChanged`] === true;
}

/** A change as one subscription hears of it. */
export function subscriptionText(id: string | number, method: string, params: Json): string {
  return notificationText(method, { ...params, _meta: { [META.subscriptionId]: id } });
}
