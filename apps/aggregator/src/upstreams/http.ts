import { HttpWire, type HttpWireOptions } from '../wire/http-wire.ts';
import type { Link, LinkEvents, Upstream } from './interface.ts';
import { type OpenOptions, openWire } from './open-wire.ts';

export interface HttpOptions extends HttpWireOptions, Omit<OpenOptions, 'sharesOneLine'> {}

/** A server at an address, over Streamable HTTP. */
export class HttpUpstream implements Upstream {
  readonly kind = 'http';
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  // Asked anew each time: another version of the server may answer at the same address tomorrow.
  open(events: LinkEvents): Promise<Link> {
    const options = this.#options;

    return openWire((wireEvents) => new HttpWire(options, wireEvents), events, { ...options, sharesOneLine: false });
  }
}
