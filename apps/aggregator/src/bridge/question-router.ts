import type { Json } from '@atoll-mcp/core';
import { cannotAsk, unclearQuestion } from '../errors.ts';
import { askFor, type PendingCall } from '../wire/rpc-client.ts';

interface Held {
  readonly method: string;
  readonly params: Json;
  resolve(answer: Promise<Json>): void;
  reject(error: Error): void;
}

/**
 * On a pipe a question does not say which call it belongs to. It goes to the only caller it can be for; while several
 * could be meant it waits until the others are done, and it is refused rather than put to the wrong one.
 */
export class QuestionRouter {
  readonly #underway: () => readonly PendingCall[];
  readonly #onAsked: (call: PendingCall) => void;
  #held: Held[] = [];

  constructor(underway: () => readonly PendingCall[], onAsked: (call: PendingCall) => void) {
    this.#underway = underway;
    this.#onAsked = onAsked;
  }

  route(method: string, params: Json): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#held.push({ method, params, resolve, reject });
      this.settle();
    });
  }

  /** To be called whenever a call has ended. */
  settle(): void {
    if (this.#held.length === 0) return;
    const candidates = this.#underway().filter(({ hooks }) => hooks.question !== undefined);
    const owners = new Set(candidates.map(({ hooks }) => hooks.owner));
    const last = candidates.at(-1);
    if (!last) {
      this.#refuse((held) => cannotAsk(held.method));
    } else if (owners.size === 1) {
      const held = this.#held;
      this.#held = [];
      for (const { method, params, resolve } of held) {
        this.#onAsked(last);
        resolve(askFor(last, method, params));
      }
    } else if (this.#held.length >= candidates.length) {
      // Every caller waits for an answer and none will end by itself: nobody can tell them apart any more.
      this.#refuse(unclearQuestion);
    }
  }

  #refuse(error: (held: Held) => Error): void {
    const held = this.#held;
    this.#held = [];
    for (const question of held) question.reject(error(question));
  }
}
