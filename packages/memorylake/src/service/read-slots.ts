import { Semaphore } from '@atoll-mcp/core';

const LARGE_AT_ONCE = 2;
/** Small files mostly wait for the disk, and many of them share a wait. */
const SMALL_AT_ONCE = 32;
const SMALL_BYTES = 64 << 10;

/** Says which files are read at the same time: what was read of them is held in memory until it is stored. */
export class ReadSlots {
  private readonly large = new Semaphore(LARGE_AT_ONCE);
  private readonly small = new Semaphore(SMALL_AT_ONCE);
  private readonly listeners = new Set<() => void>();
  private count = 0;

  async run<T>(sizeBytes: number, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.count++;
    try {
      return await (sizeBytes > SMALL_BYTES ? this.large : this.small).run(work, signal);
    } finally {
      if (--this.count === 0) {
        for (const listener of this.listeners) listener();
        this.listeners.clear();
      }
    }
  }

  /** Resolves when no file is being read or waits for it. */
  async idle(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.listeners.add(resolve));
  }
}
