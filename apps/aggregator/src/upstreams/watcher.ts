import { isObject, type Json } from '@atoll-mcp/core';
import type { UpstreamInfo } from './interface.ts';
import type { CallHooks } from './wire/rpc-client.ts';

const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const SUBSCRIBE_TIMEOUT_MS = 10_000;

interface Watched extends UpstreamInfo {
  ask(method: string, params: Json, timeoutMs: number): Promise<Json>;
  /** Opens the stream of changes; ends when the upstream ends it. */
  listen(notifications: Json, hooks: CallHooks): Promise<unknown>;
}

/** Subscribes to change notifications: one subscription per resource in the legacy era, one stream in the modern era. */
export class Watcher {
  readonly #link: Watched;
  readonly #onNotification: (method: string, params: Json) => void;
  #watched: readonly string[] = [];
  #stream: AbortController | undefined;
  #closed = false;

  constructor(link: Watched, onNotification: (method: string, params: Json) => void) {
    this.#link = link;
    this.#onNotification = onNotification;
  }

  async watch(uris: readonly string[]): Promise<void> {
    const before = this.#watched;
    this.#watched = uris;
    if (this.#link.era === 'modern') return this.#listen(RETRY_MS);
    if (!this.#offers('resources', 'subscribe')) return;
    const gone = before.filter((uri) => !uris.includes(uri));
    const added = uris.filter((uri) => !before.includes(uri));
    const send = (method: string) => (uri: string) => this.#link.ask(method, { uri }, SUBSCRIBE_TIMEOUT_MS);
    await Promise.all([...gone.map(send('resources/unsubscribe')), ...added.map(send('resources/subscribe'))]);
  }

  close(): void {
    this.#closed = true;
    this.#stream?.abort();
  }

  /** Resolves when the stream is open, so that no later change is missed. */
  #listen(againMs: number): Promise<void> {
    const previous = this.#stream;
    const notifications = this.#filter();
    if (Object.keys(notifications).length === 0) {
      previous?.abort();
      return Promise.resolve();
    }
    const stream = new AbortController();
    this.#stream = stream;
    return new Promise((resolve) => {
      const began = performance.now();
      const onNotification = (method: string, params: Json) => {
        if (method === 'notifications/subscriptions/acknowledged') resolve();
        else this.#onNotification(method, params);
      };
      const ended = () => {
        resolve();
        if (this.#closed || stream !== this.#stream || stream.signal.aborted) return;
        const wait = performance.now() - began > MAX_RETRY_MS ? RETRY_MS : Math.min(againMs * 2, MAX_RETRY_MS);
        setTimeout(() => !this.#closed && stream === this.#stream && void this.#listen(wait), againMs).unref();
      };
      const opened = this.#link.listen(notifications, { signal: stream.signal, timeoutMs: 0, onNotification });
      opened.then(ended, ended);
      setTimeout(resolve, RETRY_MS).unref();
      previous?.abort();
    });
  }

  #filter(): Json {
    return {
      ...(this.#offers('tools', 'listChanged') && { toolsListChanged: true }),
      ...(this.#offers('prompts', 'listChanged') && { promptsListChanged: true }),
      ...(this.#offers('resources', 'listChanged') && { resourcesListChanged: true }),
      ...(this.#watched.length > 0 &&
        this.#offers('resources', 'subscribe') && { resourceSubscriptions: this.#watched }),
    };
  }

  #offers(list: string, what: string): boolean {
    const offered = this.#link.capabilities[list];
    return isObject(offered) && offered[what] === true;
  }
}
