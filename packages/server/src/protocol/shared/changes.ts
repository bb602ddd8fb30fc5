import type { ChangeEvent, Json } from '@atoll-mcp/core';

/** The notification that tells clients of a change. */
export function changeNotification(event: ChangeEvent): { method: string; params: Json } {
  return event.kind === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: event.uri } }
    : { method: `notifications/${event.kind}/list_changed`, params: {} };
}
