import { EventEmitter } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** A `Request` in the shape that the HTTP endpoint reads: the part of `IncomingMessage` that it uses. */
export function incomingOf(request: Request): IncomingMessage {
  const body = request.body ? Readable.fromWeb(request.body as never) : Readable.from([]);
  const url = new URL(request.url);
  const incoming = Object.assign(body, {
    method: request.method,
    url: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...Object.fromEntries(request.headers) },
    socket: { remoteAddress: undefined },
    complete: false,
  });
  incoming.once('end', () => {
    incoming.complete = true;
  });
  return incoming as unknown as IncomingMessage;
}

/** The part of `ServerResponse` that the HTTP endpoint uses, which becomes a `Response` as soon as its head is written. */
export class FetchResponse extends EventEmitter {
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  destroyed = false;
  readonly response: Promise<Response>;
  #resolve!: (response: Response) => void;
  #status = 200;
  #headers: OutgoingHttpHeaders = {};
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(signal: AbortSignal) {
    super();
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    signal.addEventListener('abort', () => this.destroy(), { once: true });
  }

  /** As the endpoint's own functions take it. */
  get asServerResponse(): ServerResponse {
    return this as unknown as ServerResponse;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): this {
    this.headersSent = true;
    this.#status = status;
    this.#headers = headers;
    return this;
  }

  write(text: string | Uint8Array): boolean {
    this.#begin().enqueue(bytesOf(text));
    return (this.#stream?.desiredSize ?? 1) > 0;
  }

  end(text?: string | Uint8Array): this {
    if (this.writableEnded || this.destroyed) return this;
    this.writableEnded = this.writableFinished = true;
    if (this.#stream) {
      if (text !== undefined) this.#stream.enqueue(bytesOf(text));
      this.#stream.close();
    } else {
      this.#resolve(new Response(text === undefined ? null : (bytesOf(text) as never), this.#init()));
    }
    this.emit('finish');
    this.emit('close');
    return this;
  }

  destroy(): void {
    if (this.writableEnded || this.destroyed) return;
    this.destroyed = true;
    this.#resolve(new Response(null, { status: 499 }));
    this.emit('close');
  }

  #begin(): ReadableStreamDefaultController<Uint8Array> {
    if (this.#stream) return this.#stream;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
      },
      pull: () => void this.emit('drain'),
      cancel: () => this.destroy(),
    });
    this.#resolve(new Response(body, this.#init()));
    return this.#stream!;
  }

  #init(): ResponseInit {
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#headers)) {
      // A stream's length is not known to the platform; it sets its own.
      if (value !== undefined && name.toLowerCase() !== 'connection') headers.set(name, String(value));
    }
    return { status: this.#status, headers };
  }
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}
