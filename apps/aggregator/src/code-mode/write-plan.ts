import type { Json } from '@atoll-mcp/core';

/** A writing call, as shown to its caller. */
export interface PlannedWrite {
  readonly tool: string;
  readonly arguments: Json;
}

/** `further` also covers later calls of the same tools in this program, whatever their arguments. */
export interface Decision {
  readonly isConfirmed: boolean;
  readonly further: boolean;
}

interface WritePlanOptions {
  /** Whether the program is computing or has other calls in flight, and so may make more writes. */
  readonly isBusy: () => boolean;
  readonly decide: (writes: readonly PlannedWrite[]) => Promise<Decision>;
}

interface Pending {
  readonly write: PlannedWrite;
  resolve(): void;
  reject(error: Error): void;
}

const POLL_MS = 5;
/** Maximum writes per list; more are shown in several lists. */
const MAX_SHOWN = 100;

/**
 * Suspends a program's writing calls until its caller has confirmed them. The list has all writes that are pending once the
 * program cannot continue without an answer; the answer covers exactly those calls.
 */
export class WritePlan {
  readonly #options: WritePlanOptions;
  readonly #free = new Set<string>();
  #pending: Pending[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;
  #isOver = false;

  constructor(options: WritePlanOptions) {
    this.#options = options;
  }

  /** Resolves when the call may be made. */
  confirmed(write: PlannedWrite): Promise<void> {
    if (this.#free.has(write.tool)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#pending.push({ write, resolve, reject });
      this.#settle();
    });
  }

  /** Polls until the program waits only for its writes, then asks the caller. */
  #settle(): void {
    clearTimeout(this.#timer);
    if (this.#pending.length === 0 || this.#isAsking || this.#isOver) return;
    this.#timer = setTimeout(() => (this.#options.isBusy() ? this.#settle() : void this.#ask()), POLL_MS);
  }

  /** The program has ended: rejects all pending writes. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const { reject } of this.#pending.splice(0)) reject(new Error('The program has ended'));
  }

  #setFree(shown: readonly Pending[]): void {
    for (const { write } of shown) this.#free.add(write.tool);
    for (const { write, resolve } of this.#pending) if (this.#free.has(write.tool)) resolve();
    this.#pending = this.#pending.filter(({ write }) => !this.#free.has(write.tool));
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const shown = this.#pending.splice(0, MAX_SHOWN);
    try {
      const { isConfirmed, further } = await this.#options.decide(shown.map(({ write }) => write));
      if (isConfirmed && further) this.#setFree(shown);
      for (const { write, resolve, reject } of shown) {
        if (isConfirmed) resolve();
        else reject(new Error(`The call of ${write.tool} was not confirmed, and not made`));
      }
    } catch (error) {
      for (const { reject } of shown) reject(error instanceof Error ? error : new Error(String(error)));
    }
    this.#isAsking = false;
    this.#settle();
  }
}
