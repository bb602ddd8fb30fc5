import { randomUUID } from 'node:crypto';
import type { ChangeEvent, McpApp, Principal } from '@atoll-mcp/core';
import { type Logger, ProtocolFault, SESSION_NOT_FOUND } from '@atoll-mcp/core';
import { Session } from '../protocol/rev-2025-11-25/session.ts';
import { PushStream } from './push-stream.ts';
import { HttpRefusal } from './refusal.ts';

export interface HttpSession {
  readonly session: Session;
  readonly pushes: PushStream;
  usedAt: number;
  /** Whether any request followed `initialize`. */
  isUsed: boolean;
}

export interface SessionsOptions {
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly keepAliveMs: number;
  readonly log: Logger;
}

/** The sessions of legacy clients: bounded in number, closed when they are idle. */
export class Sessions {
  // The order of the map is that of last use, the idlest first.
  readonly #open = new Map<string, HttpSession>();
  readonly #app: McpApp;
  readonly #options: SessionsOptions;
  readonly #sweeper: NodeJS.Timeout;

  constructor(app: McpApp, options: SessionsOptions) {
    this.#app = app;
    this.#options = options;
    const every = Math.max(10, Math.min(options.sessionIdleMs / 4, 60_000));
    this.#sweeper = setInterval(() => this.#sweep(), every).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  open(path: string | undefined, principal: Principal | undefined): HttpSession {
    while (this.#open.size >= this.#options.maxSessions) this.#evictFor(ownerOf(principal));
    const pushes = new PushStream(this.#options.keepAliveMs);
    const id = randomUUID();
    const push = (text: string) => pushes.push(text);
    const session = new Session(this.#app, { id, path, principal, log: this.#options.log, push });
    const opened = { session, pushes, usedAt: Date.now(), isUsed: false };
    this.#open.set(id, opened);
    return opened;
  }

  /** The session of an id, for the caller and the path that opened it. */
  find(id: string | undefined, path: string | undefined, principal: Principal | undefined): HttpSession {
    if (!id) throw new HttpRefusal(400, 'Mcp-Session-Id is missing: send initialize first');
    const found = this.#open.get(id);
    if (!found || found.session.path !== path || found.session.principal?.id !== principal?.id) {
      throw new HttpRefusal(
        404,
        new ProtocolFault(SESSION_NOT_FOUND, 'Session not found; send initialize to start a new one'),
      );
    }
    this.touch(found);
    return found;
  }

  /** Marks a session as just used. */
  touch(used: HttpSession): void {
    const { id } = used.session;
    if (!this.#open.delete(id)) return;
    used.usedAt = Date.now();
    this.#open.set(id, used);
  }

  drop({ session, pushes }: HttpSession): void {
    this.#open.delete(session.id);
    session.close();
    pushes.close();
  }

  changed(event: ChangeEvent): void {
    for (const { session } of this.#open.values()) session.changed(event);
  }

  /** Ends the streams that would otherwise stay open forever; running requests go on. */
  endStreams(): void {
    for (const { pushes } of this.#open.values()) pushes.close();
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const session of [...this.#open.values()]) this.drop(session);
  }

  /**
   * Makes room for a session of `owner`: takes from the owner itself if it has its fair share, else from whoever has
   * most. Sessions without any request go first, then the one idle for longest; those at work are never taken.
   */
  #evictFor(owner: string): void {
    const counts = new Map<string, number>();
    for (const { session } of this.#open.values()) {
      const held = ownerOf(session.principal);
      counts.set(held, (counts.get(held) ?? 0) + 1);
    }
    const fairShare = this.#options.maxSessions / (counts.size + (counts.has(owner) ? 0 : 1));
    const [heaviest = owner] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    const from = (counts.get(owner) ?? 0) >= fairShare ? owner : heaviest;
    const candidates = [...this.#open.values()].filter(
      ({ session, pushes }) => ownerOf(session.principal) === from && !session.isBusy && !pushes.isOpen,
    );
    const victim = candidates.find(({ isUsed }) => !isUsed) ?? candidates[0];
    if (!victim) {
      throw new HttpRefusal(503, 'Too many sessions are open and in use; close one or retry later', {
        headers: { 'retry-after': '10' },
      });
    }
    this.drop(victim);
  }

  /** A client that works or listens is not idle, however long it has sent nothing. */
  #sweep(): void {
    const before = Date.now() - this.#options.sessionIdleMs;
    for (const open of this.#open.values()) {
      if (open.usedAt > before) return;
      if (open.session.isBusy || open.pushes.isOpen) this.touch(open);
      else this.drop(open);
    }
  }
}

/** Callers without a token count as one. */
function ownerOf(principal: Principal | undefined): string {
  return principal?.id ?? '';
}
