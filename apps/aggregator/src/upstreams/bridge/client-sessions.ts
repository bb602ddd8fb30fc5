import type { Json, SessionHandle } from '@atoll-mcp/core';
import { LOG_LEVELS, type ProtocolLogLevel } from '@atoll-mcp/server/protocol';
import { badLogLevel } from '../../errors.ts';

const DEFAULT_LEVEL: ProtocolLogLevel = 'info';
/** Bounds the queue of a client that does not read. */
const MAX_UNSENT = 200;

interface OpenSession {
  readonly session: SessionHandle;
  readonly subscribed: Set<string>;
  level: ProtocolLogLevel;
  unsent: number;
}

/** Connected legacy clients, for notifications outside of calls. */
export class ClientSessions {
  readonly #open = new Map<string, OpenSession>();
  readonly #onLevel: (level: ProtocolLogLevel) => void;
  readonly #onNotification: (method: string, params: Json) => void;

  constructor(hooks: { onLevel(level: ProtocolLogLevel): void; onNotification(method: string, params: Json): void }) {
    this.#onLevel = hooks.onLevel;
    this.#onNotification = hooks.onNotification;
  }

  add(session: SessionHandle): void {
    this.#open.set(session.id, { session, subscribed: new Set(), level: DEFAULT_LEVEL, unsent: 0 });
    session.onClose(() => this.#open.delete(session.id));
    session.onNotification((method, params) => this.#onNotification(method, params));
  }

  levelOf(id: string | undefined): ProtocolLogLevel {
    return (id !== undefined && this.#open.get(id)?.level) || DEFAULT_LEVEL;
  }

  /** Throws for anything that is not a log level. */
  setLevel(id: string | undefined, level: unknown): Json {
    const named = LOG_LEVELS.find((name) => name === level);
    if (!named) throw badLogLevel();
    const open = id === undefined ? undefined : this.#open.get(id);
    if (open) open.level = named;
    const wanted = [...this.#open.values()].map(({ level }) => LOG_LEVELS.indexOf(level));
    this.#onLevel(LOG_LEVELS[Math.min(...wanted, LOG_LEVELS.indexOf(named))] ?? DEFAULT_LEVEL);
    return {};
  }

  /** Records a subscription or its end. False if nothing changed: a session counts once per resource. */
  setSubscribed(id: string | undefined, uri: string, isBegin: boolean): boolean {
    const open = id === undefined ? undefined : this.#open.get(id);
    if (!open) return true;
    const before = open.subscribed.has(uri);
    if (isBegin) open.subscribed.add(uri);
    else open.subscribed.delete(uri);
    return before !== isBegin;
  }

  /**
   * Relays a notification: to the only client with calls in flight; to none if several have, because it could belong to
   * either; to all clients if none has.
   */
  relay(method: string, params: Json, owners: readonly unknown[]): void {
    if (owners.length > 1) return;
    const recipients = owners.length === 1 ? [this.#open.get(String(owners[0]))] : [...this.#open.values()];
    for (const open of recipients) if (open && this.#wants(open, method, params)) this.#send(open, method, params);
  }

  #wants({ level, unsent }: OpenSession, method: string, params: Json): boolean {
    if (unsent >= MAX_UNSENT) return false;
    if (method !== 'notifications/message') return true;
    return LOG_LEVELS.indexOf(params.level as ProtocolLogLevel) >= LOG_LEVELS.indexOf(level);
  }

  #send(open: OpenSession, method: string, params: Json): void {
    open.unsent++;
    open.session
      .notify(method, params)
      .catch(() => {})
      .finally(() => {
        open.unsent--;
      });
  }
}
