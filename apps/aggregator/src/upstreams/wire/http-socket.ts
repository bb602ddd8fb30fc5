import * as http from 'node:http';
import * as https from 'node:https';
import { publicLookup } from './private-address.ts';

interface HttpHandlers {
  response(response: HttpResponse): void;
  /** The request failed before a response; `why` contains neither addresses nor upstream text. */
  failed(why: string): void;
  /** Whether to retry once if a kept-alive connection was closed meanwhile. */
  readonly mayRepeat?: boolean;
}

/** Requests to one URL over keep-alive connections with node:http: `fetch` costs several times as much per call. */
export class HttpSocket {
  readonly #url: URL;
  readonly #agent: http.Agent;
  readonly #client: typeof http | typeof https;

  constructor(url: string, options: { readonly allowPrivateAddress: boolean }) {
    this.#url = new URL(url);
    this.#client = this.#url.protocol === 'https:' ? https : http;
    const lookup = options.allowPrivateAddress ? undefined : publicLookup(this.#url.hostname);
    this.#agent = new this.#client.Agent({ keepAlive: true, maxFreeSockets: 64, ...(lookup && { lookup }) });
  }

  /** Returns a function that aborts the request. */
  post(headers: Record<string, string>, body: string, handlers: HttpHandlers): () => void {
    return this.#send('POST', { ...headers, 'content-length': String(Buffer.byteLength(body)) }, body, handlers);
  }

  get(headers: Record<string, string>, handlers: HttpHandlers): () => void {
    return this.#send('GET', { ...headers, accept: 'text/event-stream' }, undefined, handlers);
  }

  remove(headers: Record<string, string>): Promise<void> {
    return new Promise((resolve) => {
      const abort = this.#send('DELETE', headers, undefined, {
        response: (response) => {
          response.drain();
          resolve();
        },
        failed: () => resolve(),
      });
      setTimeout(() => {
        abort();
        resolve();
      }, 1_000).unref();
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, headers: Record<string, string>, body: string | undefined, handlers: HttpHandlers): () => void {
    let isRetry = false;
    let isAborted = false;
    let request: http.ClientRequest;
    const start = () => {
      request = this.#client.request(this.#url, { method, headers, agent: this.#agent }, (response) =>
        handlers.response(new HttpResponse(response)),
      );
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (isAborted) return;
        if (handlers.mayRepeat && request.reusedSocket && error.code === 'ECONNRESET' && !isRetry) {
          isRetry = true;
          return start();
        }
        handlers.failed(error.code ?? 'the connection failed');
      });
      request.end(body);
    };
    start();
    return () => {
      isAborted = true;
      request.destroy();
    };
  }
}

export class HttpResponse {
  readonly #message: http.IncomingMessage;

  constructor(message: http.IncomingMessage) {
    this.#message = message;
  }

  get status(): number {
    return this.#message.statusCode ?? 0;
  }

  get isEventStream(): boolean {
    return (this.header('content-type') ?? '').startsWith('text/event-stream') && this.status < 400;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  drain(): void {
    this.#message.on('error', () => {});
    this.#message.resume();
  }

  abort(): void {
    this.#message.destroy();
  }

  pause(): void {
    this.#message.pause();
  }

  resume(): void {
    this.#message.resume();
  }

  text(maxBytes: number, done: (body: string) => void, failed: (why: string) => void): void {
    const parts: Buffer[] = [];
    let size = 0;
    this.#message.on('data', (chunk: Buffer) => {
      parts.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      // First the reason, then the end: destroying also reports an error on the request.
      failed('the response is too long');
      this.#message.destroy();
    });
    this.#message.on('end', () => done(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString('utf8')));
    this.#message.on('error', () => failed('the connection closed during the response'));
  }

  stream(chunk: (data: Buffer) => void, ended: () => void): void {
    this.#message.on('data', chunk);
    this.#message.on('error', () => {});
    this.#message.on('close', ended);
  }
}
