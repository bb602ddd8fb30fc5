import type { ChangeEvent, Json, Logger } from '@atoll-mcp/core';
import type { ListStore } from '../catalog/list-store.ts';
import type { UpstreamPin } from '../pins/upstream-pin.ts';
import type { Upstream } from './interface.ts';

/**
 * `waiting`: not begun or stopped while idle, starts when needed · `starting` · `up`: usable · `down`: failed, tried again
 * by itself · `disabled`: by configuration.
 */
export type State = 'waiting' | 'starting' | 'up' | 'down' | 'disabled';

export interface SupervisorOptions {
  readonly key: string;
  readonly upstream: Upstream;
  /** Identifies the upstream across restarts; the key of its cached lists. */
  readonly identity: unknown;
  readonly disabled: boolean;
  readonly startTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly store: ListStore;
  readonly log: Logger;
  /** Compares its definitions with those of its first use; undefined for built-in servers. */
  readonly pin?: UpstreamPin | undefined;
  readonly random?: () => number;
}

export interface SupervisorEvents {
  /** Its lists, their visibility or a resource changed. */
  onChange(event: ChangeEvent): void;
  onNotification(method: string, params: Json, owners: readonly unknown[]): void;
}
