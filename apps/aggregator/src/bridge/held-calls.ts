import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Json, ProtocolFault, type RequestContext } from '@atoll-mcp/core';
import { badRequestState, cannotAsk } from '../errors.ts';
import { isObject } from '../wire/message.ts';
import type { Answer } from '../wire/rpc-client.ts';
import { canBeAsked } from './owner.ts';

const LIFE_MS = 10 * 60_000;
const MAX_HELD = 1_000;

/** What a caller sees: the upstream's answer, or questions to be answered first. */
export type Step = { readonly answer: Answer } | { readonly questions: Json; readonly requestState: string };

interface Question {
  readonly method: string;
  readonly params: Json;
  resolve(answer: Json): void;
  reject(error: Error): void;
}

/** The caller of a held call changes with each round; this is whoever is there now. */
export interface CallerLine {
  context: RequestContext;
  readonly abort: AbortController;
}

interface Held {
  readonly binding: string;
  readonly line: CallerLine;
  readonly questions: Map<string, Question>;
  readonly outcome: Promise<Answer>;
  nonce: string;
  lastQuestion: number;
  wake: () => void;
  timer: NodeJS.Timeout;
}

/**
 * A modern client on a legacy upstream: the upstream asks in the middle of a call that must stay open, while the client
 * is answered `input_required` and comes back with a new request. What it brings back is signed, for one use, and bound
 * to the caller and to the very same request.
 */
export class HeldCalls {
  readonly #secret = randomBytes(32);
  readonly #held = new Map<string, Held>();

  /** Begins a call. `run` gets a line to the caller and the function its questions go to. */
  async begin(
    binding: string,
    context: RequestContext,
    run: (line: CallerLine, question: (method: string, params: Json) => Promise<Json>) => Promise<Answer>,
  ): Promise<Step> {
    const id = randomUUID();
    const line: CallerLine = { context, abort: new AbortController() };
    const questions = new Map<string, Question>();
    const ask = (method: string, params: Json) =>
      new Promise<Json>((resolve, reject) => {
        if (!canBeAsked(line.context, method)) return reject(cannotAsk(method));
        questions.set(`question-${++held.lastQuestion}`, { method, params, resolve, reject });
        held.wake();
      });
    const outcome = run(line, ask);
    outcome.catch(() => {});
    const held: Held = {
      binding: bindingOf(binding, context),
      line,
      questions,
      outcome,
      nonce: '',
      lastQuestion: 0,
      wake: () => {},
      timer: setTimeout(() => {}, 0),
    };
    return this.#next(id, held);
  }

  /** Goes on with a call that waits. Anything that was not signed here, or not for this, is refused. */
  async resume(binding: string, context: RequestContext): Promise<Step> {
    const { id, nonce } = this.#verify(context.requestState ?? '');
    const held = this.#held.get(id);
    if (!held || held.nonce !== nonce || held.binding !== bindingOf(binding, context)) throw badRequestState();
    held.nonce = '';
    held.line.context = context;
    for (const [key, answer] of Object.entries(context.inputResponses ?? {})) {
      const question = held.questions.get(key);
      if (!question || !isObject(answer)) continue;
      held.questions.delete(key);
      question.resolve(answer);
    }
    return this.#next(id, held);
  }

  close(): void {
    for (const [id, held] of this.#held) this.#drop(id, held);
  }

  /** Waits for whichever comes first: the end of the call or a question. */
  async #next(id: string, held: Held): Promise<Step> {
    clearTimeout(held.timer);
    const hangUp = () => held.line.abort.abort();
    held.line.context.signal.addEventListener('abort', hangUp, { once: true });
    const asked = new Promise<undefined>((resolve) => {
      held.wake = () => resolve(undefined);
      if (held.questions.size > 0) resolve(undefined);
    });
    try {
      const answer = await Promise.race([held.outcome, asked]);
      if (answer) {
        this.#held.delete(id);
        return { answer };
      }
      if (!this.#held.has(id) && this.#held.size >= MAX_HELD) {
        held.line.abort.abort();
        throw new ProtocolFault(-32603, 'Too many calls wait for answers of their clients at the moment');
      }
      return this.#hold(id, held);
    } catch (error) {
      this.#held.delete(id);
      throw error;
    } finally {
      held.line.context.signal.removeEventListener('abort', hangUp);
    }
  }

  #hold(id: string, held: Held): Step {
    held.nonce = randomUUID();
    held.timer = setTimeout(() => this.#drop(id, held), LIFE_MS);
    held.timer.unref();
    this.#held.set(id, held);
    const questions = Object.fromEntries(
      [...held.questions].map(([key, { method, params }]) => [key, { method, params }] as const),
    );
    return { questions, requestState: this.#sign({ id, nonce: held.nonce }) };
  }

  #drop(id: string, held: Held): void {
    this.#held.delete(id);
    clearTimeout(held.timer);
    for (const question of held.questions.values()) question.reject(new ProtocolFault(-32603, 'Nobody answered'));
    held.line.abort.abort();
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
