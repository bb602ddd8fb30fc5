import { type ChangeEvent, isObject, type Json } from '@atoll-mcp/core';
import { notificationText } from '../shared/json-rpc.ts';
import { META } from '../shared/revisions.ts';

/** The changes that a client subscribes to. */
export interface ListenFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

const MAX_RESOURCES = 1_000;

/** The part of a requested filter that the server supports; `undefined` when the request is not a filter. */
export function supportedFilter(requested: unknown, capabilities: Json): ListenFilter | undefined {
  if (!isObject(requested)) return undefined;
  const { resourceSubscriptions: uris } = requested;
  const areUris = Array.isArray(uris) && uris.length <= MAX_RESOURCES && uris.every((uri) => typeof uri === 'string');
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

/** A notification as one subscription gets it. */
export function subscriptionText(id: string | number, method: string, params: Json): string {
  return notificationText(method, { ...params, _meta: { [META.subscriptionId]: id } });
}
