import type { ChangeEvent } from '@atoll-mcp/core';

const DEBOUNCE_MS = 25;

/** Sends change events to listeners; events of the same list are coalesced. */
export class ChangeRelay {
  readonly #listeners = new Set<(event: ChangeEvent) => void>();
  readonly #pending = new Map<string, ChangeEvent>();
  #timer: NodeJS.Timeout | undefined;

  add(listener: (event: ChangeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: ChangeEvent): void {
    if (event.kind === 'resource') {
      this.#tell(event);
      return;
    }
    this.#pending.set(event.kind, event);
    this.#timer ??= setTimeout(() => this.#flush(), DEBOUNCE_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    const events = [...this.#pending.values()];
    this.#pending.clear();
    for (const event of events) this.#tell(event);
  }

  #tell(event: ChangeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
