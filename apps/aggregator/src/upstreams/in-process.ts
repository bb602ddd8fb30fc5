import { type Json, type McpApp, parsedResult, type RawResult, type RequestContext } from '@atoll-mcp/core';
import type { Link, LinkEvents, Upstream, UpstreamRequest } from './interface.ts';

/** A server in this process: requests are function calls without serialization; it speaks both eras. */
export class InProcessUpstream implements Upstream {
  readonly kind = 'in-process';
  readonly #load: () => Promise<McpApp>;

  constructor(load: () => Promise<McpApp>) {
    this.#load = load;
  }

  async open(events: LinkEvents): Promise<Link> {
    return new InProcessLink(await this.#load(), events);
  }
}

class InProcessLink implements Link {
  readonly era = 'modern';
  readonly probe = 'ping';
  readonly serverInfo: Json;
  readonly capabilities: Json;
  readonly instructions?: string;
  readonly app: McpApp;
  readonly #unlisten: () => void;
  #watched: readonly string[] = [];

  constructor(app: McpApp, events: LinkEvents) {
    this.app = app;
    this.serverInfo = { ...app.info };
    this.capabilities = app.capabilities({ era: 'modern' });
    if (app.instructions !== undefined) this.instructions = app.instructions;
    this.#unlisten = app.onChange((event) => events.onChange(event));
  }

  request({ method, params, context }: UpstreamRequest): Promise<Json | RawResult> {
    return this.app.handle(method, params, context);
  }

  async ask(method: string, params: Json): Promise<Json> {
    return parsedResult(await this.app.handle(method, params, ownContext()));
  }

  notify(): void {}

  async watch(uris: readonly string[]): Promise<void> {
    const offered = this.capabilities.resources as { subscribe?: boolean } | undefined;
    const before = this.#watched;
    this.#watched = uris;
    if (!offered?.subscribe) return;
    const send = (method: string) => (uri: string) => this.app.handle(method, { uri }, ownContext()).catch(() => {});
    await Promise.all([
      ...before.filter((uri) => !uris.includes(uri)).map(send('resources/unsubscribe')),
      ...uris.filter((uri) => !before.includes(uri)).map(send('resources/subscribe')),
    ]);
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.app.close();
  }
}

/** The context of the aggregator's own requests, such as list pages. */
export function ownContext(signal: AbortSignal = new AbortController().signal): RequestContext {
  return {
    era: 'modern',
    client: { id: 'atoll' },
    capabilities: {},
    meta: {},
    signal,
    notify: async () => {},
  };
}
