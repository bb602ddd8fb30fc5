import type { McpApp } from '@atoll-mcp/core';
import { Cancellation } from '../protocol/shared/cancellation.ts';
import {
  type Answer,
  errorText,
  invalidRequest,
  type RpcMessage,
  type RpcRequest,
  readMessage,
} from '../protocol/shared/json-rpc.ts';
import { allowsBatches, isLegacyVersion, LEGACY_VERSIONS, versionHeader } from '../protocol/shared/revisions.ts';
import { abortOnDisconnect, acceptedBy, type HttpCall } from './call.ts';
import type { Settings } from './options.ts';
import { HttpRefusal } from './refusal.ts';
import { Reply } from './reply.ts';
import { type HttpSession, Sessions } from './sessions.ts';

const MAX_BATCH = 100;

type Observe = (request: RpcRequest, answer: Answer | undefined, startedAt: number) => void;

/** Requests of 2025-11-25 and before: a session that `initialize` opens and each later request names. */
export class LegacyEndpoint {
  readonly sessions: Sessions;
  readonly #settings: Settings;
  readonly #observe: Observe;

  constructor(app: McpApp, settings: Settings, observe: Observe) {
    this.sessions = new Sessions(app, settings);
    this.#settings = settings;
    this.#observe = observe;
  }

  post(message: RpcMessage, call: HttpCall): void {
    if (message.kind === 'request' && message.request.method === 'initialize') {
      acceptedBy(call.request);
      return void this.#answer(message.request, this.sessions.open(call.path, call.principal), call);
    }
    const open = this.#sessionOf(call);
    if (message.kind === 'request') {
      open.isUsed = true;
      return void this.#answer(message.request, open, call);
    }
    this.#take(message, open);
    call.response.writeHead(202).end();
  }

  async postBatch(values: readonly unknown[], call: HttpCall): Promise<void> {
    const open = this.#sessionOf(call);
    open.isUsed = true;
    const messages = values.map(readMessage);
    const refuse = (problem: string) => new HttpRefusal(400, invalidRequest(problem));
    if (!allowsBatches(open.session.version)) throw refuse(`${open.session.version} does not support batches`);
    if (messages.length === 0) throw refuse('The batch is empty');
    if (messages.length > MAX_BATCH) throw refuse(`A batch holds at most ${MAX_BATCH} messages`);
    const requests = messages.filter((message) => message.kind === 'request');
    if (requests.some(({ request }) => request.method === 'initialize'))
      throw refuse('initialize must not be in a batch');
    for (const message of messages) this.#take(message, open);
    if (requests.length === 0) return void call.response.writeHead(202).end();
    const reply = this.#reply(open, call);
    const whole = abortOnDisconnect(call.response);
    const answers = await Promise.all(
      messages.map((message) => {
        if (message.kind === 'invalid') return errorText(message.id, invalidRequest('This is not a JSON-RPC message'));
        if (message.kind !== 'request') return undefined;
        // Each of them can be cancelled separately; a disconnect ends all.
        const cancellation = new Cancellation();
        whole.onAbort(() => cancellation.abort());
        return new Promise<string | undefined>((resolve) => {
          this.#run(message.request, open, reply, cancellation, (answer) => resolve(answer?.text));
        });
      }),
    );
    const texts = answers.filter((text) => text !== undefined);
    if (!reply.streams) return reply.finish(`[${texts.join(',')}]`);
    for (const text of texts) await reply.send(text);
    reply.finish(undefined);
  }

  /** The stream for what belongs to no request. */
  get(call: HttpCall): void {
    if (!call.request.headers.accept?.includes('text/event-stream')) {
      throw new HttpRefusal(406, 'Accept must name text/event-stream');
    }
    const open = this.#sessionOf(call);
    open.isUsed = true;
    const lastEventId = call.request.headers['last-event-id'];
    open.pushes.open(call.response, headersOf(open), typeof lastEventId === 'string' ? lastEventId : undefined);
    call.response.once('close', () => this.sessions.touch(open));
  }

  delete(call: HttpCall): void {
    this.sessions.drop(this.#sessionOf(call));
    call.response.writeHead(200).end();
  }

  #sessionOf({ request, path, principal }: HttpCall): HttpSession {
    const id = request.headers['mcp-session-id'];
    const open = this.sessions.find(typeof id === 'string' ? id : undefined, path, principal);
    const version = versionHeader(request.headers);
    if (version !== undefined && !isLegacyVersion(version)) {
      throw new HttpRefusal(
        400,
        `${version} does not use sessions; supported with sessions: ${LEGACY_VERSIONS.join(', ')}`,
      );
    }
    return open;
  }

  #answer(request: RpcRequest, open: HttpSession, call: HttpCall): void {
    const reply = this.#reply(open, call);
    const cancellation = abortOnDisconnect(call.response);
    // A tool that ignores the abort must not keep the connection open.
    cancellation.onAbort(() => reply.finish(undefined));
    this.#run(request, open, reply, cancellation, (answer) => reply.finish(answer?.text));
  }

  #run(
    request: RpcRequest,
    open: HttpSession,
    reply: Reply,
    cancellation: Cancellation,
    done: (answer: Answer | undefined) => void,
  ): void {
    const startedAt = performance.now();
    open.session.answer(request, reply.send, cancellation, (answer) => {
      this.sessions.touch(open);
      this.#observe(request, answer, startedAt);
      done(answer);
    });
  }

  #reply(open: HttpSession, { request, response }: HttpCall): Reply {
    const { stream } = acceptedBy(request);
    const { pushes } = open;
    return new Reply(response, {
      mode: stream ? 'stream' : 'json',
      keepAliveMs: this.#settings.keepAliveMs,
      headers: headersOf(open),
      aside: (text) => {
        if (!pushes.isOpen) throw new Error('The client accepts only the final response and has no open stream');
        pushes.push(text);
      },
    });
  }

  #take(message: RpcMessage, { session }: HttpSession): void {
    if (message.kind === 'notification') session.notified(message.notification);
    if (message.kind === 'response') session.answered(message.response);
  }
}

function headersOf({ session }: HttpSession): { 'mcp-session-id': string } {
  return { 'mcp-session-id': session.id };
}
