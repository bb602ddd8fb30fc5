import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from '../interface.ts';
import type { Child } from './child.ts';

/** Why a call was stopped. The first two are asked for softly, the others are a kill. */
export type Stop = 'timeout' | 'interrupted' | 'output' | 'scratch';

const SCRATCH_LOOK_MS = 250;
/** An empty file costs a block too: otherwise a million of them would count for nothing. */
const BLOCK_BYTES = 4_096;

/** Keeps a child within its limits during one call. */
export class Watchdog {
  /** The first reason counts. */
  stopped: Stop | undefined;
  readonly #child: Child;
  readonly #limits: Limits;
  readonly #signal: AbortSignal | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  #written = 0;

  constructor(child: Child, limits: Limits, wallMs: number, signal: AbortSignal | undefined) {
    this.#child = child;
    this.#limits = limits;
    this.#signal = signal;
    this.#timers.push(setTimeout(() => this.stopSoftly('timeout'), wallMs));
    if (!child.ownScratch) this.#timers.push(setInterval(() => void this.#lookAtScratch(), SCRATCH_LOOK_MS));
    if (signal?.aborted) this.interrupt();
    signal?.addEventListener('abort', this.interrupt);
  }

  readonly interrupt = () => this.stopSoftly('interrupted');

  stopSoftly(why: 'timeout' | 'interrupted'): void {
    this.stopped ??= why;
    this.#child.interrupt();
    this.#timers.push(setTimeout(() => this.#child.kill(), this.#limits.graceMs));
  }

  /** Told of everything that the child writes to its outputs. */
  readonly count = (bytes: number) => {
    this.#written += bytes;
    if (this.#written > this.#limits.outputKillBytes) this.#kill('output');
  };

  /** The call is over; scratch is looked at once more, for a quick call may have slipped through. */
  async rest(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal?.removeEventListener('abort', this.interrupt);
    if (!this.#child.ownScratch) await this.#lookAtScratch();
  }

  get hasKilled(): boolean {
    return this.stopped === 'output' || this.stopped === 'scratch';
  }

  #kill(why: 'output' | 'scratch'): void {
    this.stopped ??= why;
    this.#child.kill();
  }

  async #lookAtScratch(): Promise<void> {
    if (await holdsMore(this.#child.fork.scratchDir, this.#limits.scratchBytes)) this.#kill('scratch');
  }
}

async function holdsMore(folder: string, most: number): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.length * BLOCK_BYTES > most) return true;
  const sizes = entries.map(async ({ parentPath, name }) => {
    const stats = await stat(join(parentPath, name)).catch(() => undefined);
    return Math.max(BLOCK_BYTES, stats?.size ?? 0);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) > most;
}
