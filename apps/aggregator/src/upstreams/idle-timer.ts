/** Calls back after a period without activity; 0 disables it. */
export class IdleTimer {
  readonly #ms: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
  }

  /** Restarts the timer unless busy. */
  touch(isBusy: boolean): void {
    clearTimeout(this.#timer);
    if (this.#ms <= 0 || isBusy) return;
    this.#timer = setTimeout(this.#onIdle, this.#ms);
    this.#timer.unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
