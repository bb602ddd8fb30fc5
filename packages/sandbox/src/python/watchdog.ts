import type { Limits } from '../interface.ts';
import type { Child } from './child.ts';
import { storedBytes, threadsOf, usedBytes } from './scratch-usage.ts';

/** Why a call was stopped. The first two are asked for softly, the others are a kill. */
export type Stop = 'timeout' | 'interrupted' | 'output' | 'scratch' | 'threads';

const POLL_MS = 100;
/** A file system may take some blocks for itself. */
const SPARE_BYTES = 1024 * 1024;
/** Where the kernel counts the threads of all sessions together. */
const MAX_THREADS = 128;

/** Keeps a child within its limits during one call. */
export class Watchdog {
  /** The first reason counts. */
  stopped: Stop | undefined;
  readonly #child: Child;
  readonly #onStop: () => void;
  readonly #limits: Limits;
  readonly #signal: AbortSignal | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  #written = 0;
  #looking: Promise<void> | undefined;

  constructor(child: Child, limits: Limits, wallMs: number, signal: AbortSignal | undefined, onStop: () => void) {
    this.#onStop = onStop;
    this.#child = child;
    this.#limits = limits;
    this.#signal = signal;
    this.#timers.push(setTimeout(() => this.stopSoftly('timeout'), wallMs));
    this.#timers.push(setInterval(() => void this.#look(), POLL_MS));
    if (signal?.aborted) this.interrupt();
    signal?.addEventListener('abort', this.interrupt);
  }

  readonly interrupt = () => this.stopSoftly('interrupted');

  stopSoftly(why: 'timeout' | 'interrupted'): void {
    this.stopped ??= why;
    this.#onStop();
    this.#child.interrupt();
    this.#timers.push(setTimeout(() => this.#child.kill(), this.#limits.graceMs));
  }

  /** Told of everything that the child writes to its outputs. */
  readonly count = (bytes: number) => {
    this.#written += bytes;
    if (this.#written > this.#limits.outputKillBytes) this.#kill('output');
  };

  /** The call is over. Files are counted once more, because a quick call may have ended between two checks. */
  async rest(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal?.removeEventListener('abort', this.interrupt);
    await this.#look();
  }

  get hasKilled(): boolean {
    return this.stopped === 'output' || this.stopped === 'scratch' || this.stopped === 'threads';
  }

  #kill(why: 'output' | 'scratch' | 'threads'): void {
    this.stopped ??= why;
    this.#child.kill();
  }

  /** Counts what the kernel does not limit here. One look at a time. */
  #look(): Promise<void> {
    this.#looking ??= this.#count().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #count(): Promise<void> {
    const { fork, ownScratch, ownTasks, pid } = this.#child;
    const { scratchBytes, resultBytes, outputFileBytes } = this.#limits;
    const maxBytes = Math.max(resultBytes, outputFileBytes) + SPARE_BYTES;
    if (storedBytes(fork.resultFile) > maxBytes) this.#kill('scratch');
    if (!ownTasks && (await threadsOf(pid)) > MAX_THREADS) this.#kill('threads');
    if (ownScratch) return;
    const used = await usedBytes(fork.scratchDir, scratchBytes);
    if (used > scratchBytes || used + (await this.#child.hiddenBytes()) > scratchBytes) this.#kill('scratch');
  }
}
