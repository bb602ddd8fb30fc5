import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from '@atoll-mcp/core';

const LARGE_AT_ONCE = 2;
/** Small files mostly wait for the disk, and many can share one write. */
const SMALL_AT_ONCE = 128;
const SMALL_BYTES = 64 << 10;
/** So many files within a few seconds mean that a folder is being added and more will follow. */
const MANY_FILES = 8;
const RECENT_MS = 5_000;
const QUIET_MS = 250;

/** Limits how many files are read at the same time: their chunks stay in memory until they are stored. */
export class ReadSlots {
  readonly #large = new Semaphore(LARGE_AT_ONCE);
  readonly #small = new Semaphore(SMALL_AT_ONCE);
  readonly #listeners = new Set<() => void>();
  readonly #ends: number[] = [];
  #count = 0;

  async run<T>(sizeBytes: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#count++;
    try {
      return await (sizeBytes > SMALL_BYTES ? this.#large : this.#small).run(work, signal);
    } finally {
      this.#ends.push(performance.now());
      if (this.#ends.length > MANY_FILES) this.#ends.shift();
      if (--this.#count === 0) {
        for (const listener of this.#listeners) listener();
        this.#listeners.clear();
      }
    }
  }

  /** Resolves when no file is being read or queued; after many files, when none was added for a moment. */
  async idle(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#count > 0) await new Promise<void>((resolve) => this.#listeners.add(resolve));
      const last = this.#ends.at(-1);
      if (!this.#isOneOfMany()) return;
      // Not unreferenced: nothing else keeps the `add` command running here.
      await pause(QUIET_MS, undefined, { signal }).catch(() => {});
      if (this.#count === 0 && this.#ends.at(-1) === last) return;
    }
  }

  #isOneOfMany(): boolean {
    return this.#ends.length === MANY_FILES && performance.now() - this.#ends[0]! < RECENT_MS;
  }
}
