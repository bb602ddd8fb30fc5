import type { Json } from '@atoll-mcp/core';
import { cannotAsk, unclearQuestion } from '../../errors.ts';
import { askFor, type PendingCall } from '../wire/rpc-client.ts';

interface DeferredRequest {
  readonly method: string;
  readonly params: Json;
  resolve(answer: Promise<Json>): void;
  reject(error: Error): void;
}

/**
 * On stdio a server request does not name its call. It goes to the only possible caller; while several are possible it
 * waits, and it is rejected rather than sent to the wrong one.
 */
export class ServerRequestRouter {
  readonly #underway: () => readonly PendingCall[];
  readonly #onAsked: (call: PendingCall) => void;
  #deferred: DeferredRequest[] = [];

  constructor(underway: () => readonly PendingCall[], onAsked: (call: PendingCall) => void) {
    this.#underway = underway;
    this.#onAsked = onAsked;
  }

  route(method: string, params: Json): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#deferred.push({ method, params, resolve, reject });
      this.settle();
    });
  }

  /** Call this whenever a call has ended. */
  settle(): void {
    if (this.#deferred.length === 0) return;
    const candidates = this.#underway().filter(({ hooks }) => hooks.onRequest !== undefined);
    const owners = new Set(candidates.map(({ hooks }) => hooks.owner));
    const last = candidates.at(-1);
    if (!last) {
      this.#refuse((deferred) => cannotAsk(deferred.method));
    } else if (owners.size === 1) {
      const deferred = this.#deferred;
      this.#deferred = [];
      for (const { method, params, resolve } of deferred) {
        this.#onAsked(last);
        resolve(askFor(last, method, params));
      }
    } else if (this.#deferred.length >= candidates.length) {
      // All callers are blocked on server requests that cannot be attributed.
      this.#refuse(unclearQuestion);
    }
  }

  #refuse(error: (deferred: DeferredRequest) => Error): void {
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const question of deferred) question.reject(error(question));
  }
}
