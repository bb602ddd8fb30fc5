/** Texts that calls are waiting for, by key: a second call for one of them shares the work and costs nothing. */
export class InFlightTexts {
  /** The promise settles when the text has been admitted or refused. */
  readonly #texts = new Map<string, { admitted: boolean; readonly decided: Promise<void> }>();

  /** Claims those keys that no other call has been admitted with, and returns them; the caller releases them later. */
  async claim(keys: readonly string[], admit: (count: number) => Promise<void>): Promise<readonly string[]> {
    for (;;) {
      const undecided = keys.flatMap((key) => {
        const text = this.#texts.get(key);
        return text && !text.admitted ? [text.decided] : [];
      });
      if (undecided.length === 0) break;
      await Promise.all(undecided);
    }
    const own = keys.filter((key) => !this.#texts.has(key));
    if (own.length === 0) return own;
    let decide = () => {};
    const entry = {
      admitted: false,
      decided: new Promise<void>((resolve) => {
        decide = resolve;
      }),
    };
    for (const key of own) this.#texts.set(key, entry);
    try {
      await admit(own.length);
      entry.admitted = true;
      return own;
    } catch (error) {
      this.release(own);
      throw error;
    } finally {
      decide();
    }
  }

  release(keys: readonly string[]): void {
    for (const key of keys) this.#texts.delete(key);
  }
}
