import type { ChangeEvent, Json } from '@atoll-mcp/core';

/** The status of all upstreams, as a resource that can be subscribed to. */
export const STATUS_URI = 'atoll://status';

const DEBOUNCE_MS = 500;

/** Serves `atoll://status` and reports changes, debounced. */
export class StatusResource {
  readonly #emit: (event: ChangeEvent) => void;
  #watchers = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (event: ChangeEvent) => void) {
    this.#emit = emit;
  }

  /** The result, if the request is for this resource. */
  handle(method: string, { uri }: Json, status: () => unknown): Json | undefined {
    if (uri !== STATUS_URI) return undefined;
    if (method === 'resources/read') {
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(status()) }] };
    }
    if (method === 'resources/subscribe') this.#watchers++;
    else if (method === 'resources/unsubscribe') this.#watchers = Math.max(0, this.#watchers - 1);
    else return undefined;
    return {};
  }

  changed(): void {
    if (this.#watchers === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#emit({ kind: 'resource', uri: STATUS_URI });
    }, DEBOUNCE_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
