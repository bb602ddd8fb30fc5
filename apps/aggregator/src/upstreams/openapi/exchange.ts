import * as http from 'node:http';
import * as https from 'node:https';
import { callLost, upstreamUnreachable } from '../../errors.ts';
import { PRIVATE_ADDRESS, publicLookup } from '../wire/private-address.ts';
import { MAX_REDIRECTS, redirected } from './redirects.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body?: Buffer;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

interface ExchangeOptions {
  readonly name: string;
  readonly allowPrivateAddress: boolean;
  readonly followRedirects: boolean;
  readonly maxMessageBytes: number;
}

/** Requests over kept-alive connections. Public names are resolved to public addresses only; redirects are followed where that is allowed. */
export class HttpExchange {
  readonly #options: ExchangeOptions;
  readonly #agents = new Map<string, http.Agent>();

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Rejects with an `UpstreamFault`, or with the reason of the signal. A redirect that is not followed is the answer. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { followRedirects, allowPrivateAddress } = this.#options;
    let answer = await this.#once(request);
    for (let sent = request, n = 0; followRedirects && n < MAX_REDIRECTS; n++) {
      const next = redirected(sent, answer, allowPrivateAddress);
      if (!next) break;
      answer = await this.#once(next);
      sent = next;
    }
    return answer;
  }

  #once({ method, url, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
    const { name, maxMessageBytes } = this.#options;
    return new Promise((resolve, reject) => {
      let isSent = false;
      let hasAnswer = false;
      const client = url.protocol === 'https:' ? https : http;
      const length = body ? { 'content-length': String(body.length) } : {};
      const options = { method, headers: { ...headers, ...length }, agent: this.#agent(url), signal };
      const onAnswer = (response: http.IncomingMessage) => {
        hasAnswer = true;
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          parts.push(chunk);
          if (size <= maxMessageBytes) return;
          reject(upstreamUnreachable(name, `its answer is longer than ${maxMessageBytes} bytes ("maxMessageBytes")`));
          request.destroy();
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
        );
        response.on('error', () => reject(callLost(name, 'the connection closed during the answer')));
      };
      let request: http.ClientRequest;
      try {
        request = client.request(url, options, onAnswer);
      } catch {
        // A name or a value of a header, or a path, as the document or the configuration has it.
        return reject(upstreamUnreachable(name, 'the request has characters that HTTP does not allow'));
      }
      request.on('finish', () => {
        isSent = true;
      });
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(callLost(name, 'it changed to another protocol'));
      });
      request.on('close', () => hasAnswer || reject(callLost(name, 'the connection closed before the answer')));
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) return reject(signal.reason);
        const why =
          error.code === PRIVATE_ADDRESS ? 'its name resolves to a private address' : (error.code ?? 'it failed');
        reject(isSent && method !== 'GET' ? callLost(name, why) : upstreamUnreachable(name, why));
      });
      request.end(body);
    });
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agent({ protocol, hostname, host }: URL): http.Agent {
    const key = `${protocol}//${host}`;
    let agent = this.#agents.get(key);
    if (!agent) {
      const lookup = this.#options.allowPrivateAddress ? undefined : publicLookup(hostname);
      const Agent = protocol === 'https:' ? https.Agent : http.Agent;
      agent = new Agent({ keepAlive: true, maxFreeSockets: 16, ...(lookup && { lookup }) });
      this.#agents.set(key, agent);
    }
    return agent;
  }
}
