/** Calls back when nothing has happened for a while; zero is never. */
export class IdleTimer {
  readonly #ms: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onIdle: () => void) {
    this.#ms = ms;
    this.#onIdle = onIdle;
  }

  /** Begins to count again, unless there is still something to do. */
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
