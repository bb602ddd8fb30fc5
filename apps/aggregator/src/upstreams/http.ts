import type { Link, LinkEvents, Upstream } from './interface.ts';
import { type OpenOptions, openWire } from './open-wire.ts';
import { HttpWire, type HttpWireOptions } from './wire/http-wire.ts';
import type { Traits } from './wire-link.ts';

export interface HttpOptions extends HttpWireOptions, Omit<OpenOptions, 'isMultiplexed' | 'traits' | 'signal'> {}

/** A server at an address, over Streamable HTTP. */
export class HttpUpstream implements Upstream {
  readonly kind = 'http';
  readonly #options: HttpOptions;

  readonly #traits: Traits = {};

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  // Negotiated on every open: the server at this address may have been upgraded.
  open(events: LinkEvents, signal: AbortSignal): Promise<Link> {
    const options = this.#options;

    return openWire((wireEvents) => new HttpWire(options, wireEvents), events, {
      ...options,
      signal,
      traits: this.#traits,
      isMultiplexed: false,
    });
  }
}
