/** Unsolicited bytes an upstream may send per second, and in a burst. */
const BYTES_PER_SECOND = 2_000_000;
const BURST_BYTES = 4_000_000;

/** A stream that can be paused. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

/** Pauses reading from an upstream that floods us with unsolicited data; results are not counted. */
export class ReadThrottle {
  readonly #source: Source;
  #allowance = BURST_BYTES;
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  count(bytes: number): void {
    const now = performance.now();
    this.#allowance = Math.min(BURST_BYTES, this.#allowance + ((now - this.#since) / 1000) * BYTES_PER_SECOND) - bytes;
    this.#since = now;
    if (this.#allowance >= 0 || this.#timer) return;
    this.#source.pause();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#source.resume();
      },
      Math.min(1000, (-this.#allowance / BYTES_PER_SECOND) * 1000 + 50),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#source.resume();
  }
}
