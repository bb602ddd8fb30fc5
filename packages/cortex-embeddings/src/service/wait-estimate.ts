const FIRST_GUESS_MS = 10;
const MEMORY = 0.8;

/** How long texts take at the moment, learned from those that were done last. */
export class WaitEstimate {
  #msPerText = FIRST_GUESS_MS;

  learn(texts: number, durationMs: number): void {
    this.#msPerText = MEMORY * this.#msPerText + (1 - MEMORY) * (durationMs / texts);
  }

  millisecondsFor(texts: number): number {
    return Math.max(100, Math.round(texts * this.#msPerText));
  }
}
