import { INTERNAL_ERROR, isObject, type Json, ProtocolFault, REFUSED } from '@atoll-mcp/core';
import {
  notificationText,
  type RequestId,
  type RpcResponse,
  requestText,
  type Send,
  sendQuietly,
} from '../shared/json-rpc.ts';

/** People answer some of these, so it is minutes, not seconds. */
const TIMEOUT_MS = 10 * 60_000;

/** Requests to the client that are still unanswered. */
export class Questions {
  #lastId = 0;
  readonly #open = new Map<RequestId, { resolve(result: Json): void; reject(error: Error): void }>();

  /** Sends a request to the client and waits for its response, or until the call that needs it ends. */
  async ask(send: Send, method: string, params: Json, signal?: AbortSignal): Promise<Json> {
    if (signal?.aborted) throw gone(method);
    this.#lastId += 1;
    const id = this.#lastId;
    let giveUp = () => {};
    const answer = new Promise<Json>((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      giveUp = () => {
        reject(gone(method));
        void sendQuietly(send, notificationText('notifications/cancelled', { requestId: id }));
      };
    });
    const timer = setTimeout(giveUp, TIMEOUT_MS).unref();
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      await send(requestText(id, method, params));
      return await answer;
    } finally {
      this.#open.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Takes the client's answer; one to an unknown question is dropped. */
  answered({ id, result, error }: RpcResponse): void {
    const question = this.#open.get(id);
    if (isObject(result)) question?.resolve(result);
    else
      question?.reject(
        new ProtocolFault(error?.code ?? INTERNAL_ERROR, String(error?.message ?? 'No result'), error?.data),
      );
  }

  close(): void {
    for (const question of this.#open.values()) question.reject(gone('The question'));
  }
}

const gone = (what: string) =>
  new ProtocolFault(REFUSED, `${what} was not answered: the client disconnected or cancelled`);
