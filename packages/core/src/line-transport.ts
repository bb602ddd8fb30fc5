import type { Readable, Writable } from 'node:stream';
import type { Json } from './app.ts';
import type { MessageTransport } from './connect-transport.ts';

const NEWLINE = 0x0a;

/** JSON-RPC, one message a line. A line that is no JSON is answered, and the next one works. */
export class LineTransport implements MessageTransport {
  onmessage?: NonNullable<MessageTransport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #unanswered = new Set<unknown>();
  #held: Buffer[] = [];
  #closed = false;
  #whenDrained: (() => void) | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.once('error', (error) => this.onerror?.(error));
  }

  async send(message: Parameters<MessageTransport['send']>[0]): Promise<void> {
    await this.#write(JSON.stringify(message));
    if (!('method' in message)) this.#answered(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    this.onclose?.();
  }

  /** Resolves once every request that was read has been answered. */
  drained(): Promise<void> {
    if (this.#unanswered.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenDrained = resolve;
    });
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#held.push(chunk.subarray(start, end));
      const line = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
      this.#held = [];
      start = end + 1;
      this.#read(line);
    }
    if (start < chunk.length) this.#held.push(start === 0 ? chunk : chunk.subarray(start));
  }

  #read(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    let message: Json;
    try {
      message = JSON.parse(text) as Json;
    } catch {
      this.#refuse(-32700, 'Parse error: this line is not JSON');
      return;
    }
    if (message === null || typeof message !== 'object' || Array.isArray(message) || message.jsonrpc !== '2.0') {
      this.#refuse(-32600, 'Invalid request: a line must hold one JSON-RPC 2.0 message', message?.id);
      return;
    }
    if ('method' in message && message.id !== undefined) this.#unanswered.add(message.id);
    this.onmessage?.(message as never);
  }

  #refuse(code: number, message: string, id?: unknown): void {
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    this.#write(JSON.stringify({ jsonrpc: '2.0', id: known, error: { code, message } })).catch(() => {});
  }

  #answered(id: unknown): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#whenDrained?.();
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}
