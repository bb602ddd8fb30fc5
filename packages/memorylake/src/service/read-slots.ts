import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from '@atoll-mcp/core';

const LARGE_AT_ONCE = 2;
/** Small files mostly wait for the disk, and many of them share a wait. */
const SMALL_AT_ONCE = 128;
const SMALL_BYTES = 64 << 10;
/** So many files within a few seconds are a folder, of which more will come in a moment. */
const MANY_FILES = 8;
const RECENT_MS = 5_000;
const QUIET_MS = 250;

/** Says which files are read at the same time: what was read of them is held in memory until it is stored. */
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

  /** Resolves when no file is being read or waits for it; of many files, when none has come for a moment. */
  async idle(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#count > 0) await new Promise<void>((resolve) => this.#listeners.add(resolve));
      const last = this.#ends.at(-1);
      if (!this.#isOneOfMany()) return;
      // Not unreferenced: a command that adds files has nothing else that keeps it running then.
      await pause(QUIET_MS, undefined, { signal }).catch(() => {});
      if (this.#count === 0 && this.#ends.at(-1) === last) return;
    }
  }

  #isOneOfMany(): boolean {
    return this.#ends.length === MANY_FILES && performance.now() - this.#ends[0]! < RECENT_MS;
  }
}
