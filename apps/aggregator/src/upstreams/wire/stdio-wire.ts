import type { Readable } from 'node:stream';
import type { Json } from '@atoll-mcp/core';
import { callLost, notReading } from '../../errors.ts';
import { type ChildOptions, GroupedChild } from './child-process.ts';
import { LineReader } from './lines.ts';
import type { ProcessGuard } from './process-guard.ts';
import { ReadThrottle } from './read-throttle.ts';
import { type PendingCall, RpcClient, type Sender, type Unsolicited } from './rpc-client.ts';
import type { Wire, WireEvents } from './wire.ts';

const STDERR_LINES = 50;
const STDERR_LINE_LENGTH = 500;
const STDERR_MAX_BYTES = 1_000_000;
/** What a server that does not read may have waiting for it; more calls fail. */
const MAX_UNREAD = 128_000_000;

interface StdioWireOptions extends ChildOptions {
  readonly name: string;
  readonly maxMessageBytes: number;
  readonly guard: ProcessGuard;
}

/** JSON-RPC over the pipes of a child process. */
export class StdioWire implements Wire, Sender {
  readonly client: RpcClient;
  readonly #name: string;
  readonly #child: GroupedChild;
  readonly #events: WireEvents;
  readonly #stderr: string[] = [];
  #unsent = '';
  #closing = false;
  #isLost = false;

  constructor(options: StdioWireOptions, events: WireEvents) {
    this.#name = options.name;
    this.#events = events;
    this.#child = new GroupedChild(options, options.guard);
    const { stdin, stdout, stderr } = this.#child.process;
    const throttle = stdout ? new ReadThrottle(stdout) : undefined;
    const unsolicited: Unsolicited = events;
    this.client = new RpcClient(options.name, this, unsolicited);
    const lines = new LineReader({
      maxBytes: options.maxMessageBytes,
      onLine: (line) => {
        const before = this.client.settled;
        this.client.receive(line);
        if (this.client.settled === before) throttle?.count(line.length);
      },
      onTooLong: () => this.reject('it sent a message that is too long'),
    });
    stdout?.on('data', (chunk: Buffer) => lines.push(chunk));
    stdin?.on('error', () => {});
    if (stderr) this.#keepStderr(stderr);
    this.#child.process.once('error', () => this.#lost(`"${options.command}" could not be started`));
    // "close" fires after the last line, so a response sent just before exit still counts.
    this.#child.process.once('close', (code, signal) => {
      throttle?.close();
      this.#lost(signal ? `it was terminated by ${signal}` : `it exited with code ${code}`);
    });
    this.#child.process.once('exit', () => throttle?.close());
  }

  get pid(): number | undefined {
    return this.#child.process.pid;
  }

  /** The last lines of stderr, for people, never for models. */
  get stderrTail(): readonly string[] {
    return this.#stderr;
  }

  request(call: PendingCall, text: string): void {
    if (this.#isLost) call.settle(callLost(this.#name, 'it has exited'));
    else if (this.#unread > 0 && this.#unread + text.length > MAX_UNREAD) call.settle(notReading(this.#name));
    else this.send(text);
  }

  get #unread(): number {
    return this.#unsent.length + (this.#child.process.stdin?.writableLength ?? 0);
  }

  /** Messages of the same tick are written together, which saves most of the cost at high concurrency. */
  send(text: string): void {
    if (this.#unsent === '') setImmediate(() => this.#flush());
    this.#unsent += `${text}\n`;
  }

  cancel(call: PendingCall, reason: string): void {
    const params: Json = { requestId: call.id, reason };
    if (call.method !== 'initialize') this.client.notify('notifications/cancelled', params);
  }

  /** On a shared stream it is unknown which call a malformed message was for. */
  reject(why: string): void {
    this.#lost(why);
    this.#child.kill();
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#child.stop();
    this.#lost('it was stopped');
  }

  #flush(): void {
    const { stdin } = this.#child.process;
    const text = this.#unsent;
    this.#unsent = '';
    if (stdin?.writable) stdin.write(text);
  }

  #lost(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.client.failAll(callLost(this.#name, why));
    if (!this.#closing) this.#events.onClose(why);
  }

  #keepStderr(stream: Readable): void {
    const throttle = new ReadThrottle(stream);
    const keep = (line: string) => {
      this.#stderr.push(line.slice(0, STDERR_LINE_LENGTH));
      if (this.#stderr.length > STDERR_LINES) this.#stderr.shift();
    };
    const lines = new LineReader({ maxBytes: STDERR_MAX_BYTES, onLine: keep, onTooLong: () => {} });
    stream.on('data', (chunk: Buffer) => {
      throttle.count(chunk.length);
      lines.push(chunk);
    });
    this.#child.process.once('exit', () => throttle.close());
  }
}
