import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { INTERNAL_ERROR, isObject, type Json, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import { badRequestState, cannotAsk } from '../../errors.ts';
import type { Answer } from '../wire/rpc-client.ts';
import { canBeAsked } from './owner.ts';

const TTL_MS = 10 * 60_000;
const MAX_SUSPENDED = 1_000;

/** What a caller gets: the upstream's result, or input requests to answer first. */
export type Step = { readonly answer: Answer } | { readonly questions: Json; readonly requestState: string };

interface Question {
  readonly method: string;
  readonly params: Json;
  resolve(answer: Json): void;
  reject(error: Error): void;
}

/** The current caller of a suspended call; it changes with each round. */
export interface CallerHandle {
  context: RequestContext;
  readonly abort: AbortController;
}

interface SuspendedCall {
  readonly binding: string;
  readonly caller: CallerHandle;
  readonly questions: Map<string, Question>;
  readonly outcome: Promise<Answer>;
  nonce: string;
  lastQuestion: number;
  wake: () => void;
  timer: NodeJS.Timeout;
}

/**
 * A modern client on a legacy upstream: the upstream sends a request during a call that must stay open, while the client
 * gets `input_required` and returns with a new request. The state it returns is signed, single-use, and bound to the
 * caller and the request.
 */
export class SuspendedCalls {
  readonly #secret = randomBytes(32);
  readonly #suspended = new Map<string, SuspendedCall>();

  /** Starts a call. `run` gets the current caller and a function for server requests. */
  async begin(
    binding: string,
    context: RequestContext,
    run: (caller: CallerHandle, question: (method: string, params: Json) => Promise<Json>) => Promise<Answer>,
  ): Promise<Step> {
    const id = randomUUID();
    const caller: CallerHandle = { context, abort: new AbortController() };
    const questions = new Map<string, Question>();
    const ask = (method: string, params: Json) =>
      new Promise<Json>((resolve, reject) => {
        if (!canBeAsked(caller.context, method)) return reject(cannotAsk(method));
        questions.set(`question-${++suspended.lastQuestion}`, { method, params, resolve, reject });
        suspended.wake();
      });
    const outcome = run(caller, ask);
    outcome.catch(() => {});
    const suspended: SuspendedCall = {
      binding: bindingOf(binding, context),
      caller,
      questions,
      outcome,
      nonce: '',
      lastQuestion: 0,
      wake: () => {},
      timer: setTimeout(() => {}, 0),
    };
    return this.#next(id, suspended);
  }

  /** Resumes a suspended call. State that was not signed here, or not for this request, is rejected. */
  async resume(binding: string, context: RequestContext): Promise<Step> {
    const { id, nonce } = this.#verify(context.requestState ?? '');
    const suspended = this.#suspended.get(id);
    if (!suspended || suspended.nonce !== nonce || suspended.binding !== bindingOf(binding, context))
      throw badRequestState();
    suspended.nonce = '';
    suspended.caller.context = context;
    for (const [key, answer] of Object.entries(context.inputResponses ?? {})) {
      const question = suspended.questions.get(key);
      if (!question || !isObject(answer)) continue;
      suspended.questions.delete(key);
      question.resolve(answer);
    }
    return this.#next(id, suspended);
  }

  close(): void {
    for (const [id, suspended] of this.#suspended) this.#drop(id, suspended);
  }

  /** Waits for the end of the call or a server request. */
  async #next(id: string, suspended: SuspendedCall): Promise<Step> {
    clearTimeout(suspended.timer);
    const hangUp = () => suspended.caller.abort.abort();
    suspended.caller.context.signal.addEventListener('abort', hangUp, { once: true });
    const asked = new Promise<undefined>((resolve) => {
      suspended.wake = () => resolve(undefined);
      if (suspended.questions.size > 0) resolve(undefined);
    });
    try {
      const answer = await Promise.race([suspended.outcome, asked]);
      if (answer) {
        this.#suspended.delete(id);
        return { answer };
      }
      if (!this.#suspended.has(id) && this.#suspended.size >= MAX_SUSPENDED) {
        suspended.caller.abort.abort();
        throw new ProtocolFault(INTERNAL_ERROR, 'Too many calls are waiting for client input');
      }
      return this.#suspend(id, suspended);
    } catch (error) {
      this.#suspended.delete(id);
      throw error;
    } finally {
      suspended.caller.context.signal.removeEventListener('abort', hangUp);
    }
  }

  #suspend(id: string, suspended: SuspendedCall): Step {
    suspended.nonce = randomUUID();
    suspended.timer = setTimeout(() => this.#drop(id, suspended), TTL_MS);
    suspended.timer.unref();
    this.#suspended.set(id, suspended);
    const questions = Object.fromEntries(
      [...suspended.questions].map(([key, { method, params }]) => [key, { method, params }] as const),
    );
    return { questions, requestState: this.#sign({ id, nonce: suspended.nonce }) };
  }

  #drop(id: string, suspended: SuspendedCall): void {
    this.#suspended.delete(id);
    clearTimeout(suspended.timer);
    for (const question of suspended.questions.values())
      question.reject(new ProtocolFault(INTERNAL_ERROR, 'The client did not answer'));
    suspended.caller.abort.abort();
  }

  #sign(state: { id: string; nonce: string }): string {
    const body = Buffer.from(JSON.stringify(state)).toString('base64url');
    return `${body}.${this.#mac(body).toString('base64url')}`;
  }

  #verify(text: string): { id: string; nonce: string } {
    const [body = '', mac = ''] = text.split('.');
    const given = Buffer.from(mac, 'base64url');
    const right = this.#mac(body);
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw badRequestState();
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as { id: string; nonce: string };
  }

  #mac(body: string): Buffer {
    return createHmac('sha256', this.#secret).update(body).digest();
  }
}

function bindingOf(request: string, context: RequestContext): string {
  return JSON.stringify([context.client.id, request]);
}
