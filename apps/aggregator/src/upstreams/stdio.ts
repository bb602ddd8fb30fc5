import type { Era } from '@atoll-mcp/core';
import { UpstreamFault } from '../errors.ts';
import type { Link, LinkEvents, Upstream } from './interface.ts';
import { type OpenOptions, openWire } from './open-wire.ts';
import type { ChildOptions } from './wire/child-process.ts';
import type { ProcessGuard } from './wire/process-guard.ts';
import { StdioWire } from './wire/stdio-wire.ts';
import type { WireEvents } from './wire/wire.ts';
import type { Traits } from './wire-link.ts';

export interface StdioOptions extends ChildOptions, Omit<OpenOptions, 'isMultiplexed' | 'traits' | 'signal'> {
  readonly name: string;
  readonly maxMessageBytes: number;
  readonly guard: ProcessGuard;
}

const MAX_BEFORE = 100;
const STARTED_AGAIN = '[started again]';

/** A server that runs as a child process and speaks over stdio. */
export class StdioUpstream implements Upstream {
  readonly kind = 'stdio';
  readonly #options: StdioOptions;
  /** Learned at first start: some servers exit on an unknown handshake. */
  #era: Era | 'auto';

  readonly #traits: Traits = {};
  #wire: StdioWire | undefined;
  /** What earlier processes wrote last: the reason why one ended is seldom in the log of the next. */
  #before: readonly string[] = [];

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#era = options.era;
  }

  get stderrTail(): readonly string[] | undefined {
    const lines = this.#wire?.stderrTail;
    if (!lines || this.#before.length === 0) return lines;
    return lines.length === 0 ? this.#before : [...this.#before, STARTED_AGAIN, ...lines];
  }

  async open(events: LinkEvents, signal: AbortSignal): Promise<Link> {
    try {
      return await this.#openAs(this.#era, events, signal);
    } catch (error) {
      const endedWhenGreeted = error instanceof UpstreamFault && error.reason === 'lost';
      if (this.#era !== 'auto' || !endedWhenGreeted || signal.aborted) throw error;
      return this.#openAs('legacy', events, signal);
    }
  }

  async #openAs(era: Era | 'auto', events: LinkEvents, signal: AbortSignal): Promise<Link> {
    const options = this.#options;
    const connect = (wireEvents: WireEvents) => {
      this.#before = (this.stderrTail ?? []).slice(-MAX_BEFORE);
      this.#wire = new StdioWire(options, wireEvents);
      return this.#wire;
    };
    const link = await openWire(connect, events, {
      ...options,
      era,
      signal,
      isMultiplexed: true,
      traits: this.#traits,
    });
    this.#era = link.era;
    return link;
  }
}
