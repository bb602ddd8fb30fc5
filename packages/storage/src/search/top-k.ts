/** Keeps the few items with the highest scores out of many. Of equal scores the item that came first stays. */
export class TopK {
  readonly #items: Float64Array;
  readonly #scores: Float64Array;
  #size = 0;

  constructor(k: number) {
    this.#items = new Float64Array(k);
    this.#scores = new Float64Array(k);
  }

  /** What a score has to be above to get in. */
  get bar(): number {
    return this.#size < this.#items.length ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  add(item: number, score: number): void {
    if (score <= this.bar) return;
    if (this.#size < this.#items.length) this.#rise(this.#size++, item, score);
    else this.#sink(item, score);
  }

  /** Unordered. */
  items(): Uint32Array {
    return Uint32Array.from(this.#items.subarray(0, this.#size));
  }

  /** Best first. */
  sorted(): { item: number; score: number }[] {
    const all = Array.from({ length: this.#size }, (_, index) => ({
      item: this.#items[index] as number,
      score: this.#scores[index] as number,
    }));
    return all.sort((a, b) => b.score - a.score || a.item - b.item);
  }

  // A heap with the worst on top: `rise` adds below, `sink` replaces the worst.
  #rise(start: number, item: number, score: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#scores[parent] as number) <= score) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, item, score);
  }

  #sink(item: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#scores[child + 1] as number) < (this.#scores[child] as number)) child++;
      if ((this.#scores[child] as number) >= score) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, item, score);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#items[from] as number, this.#scores[from] as number);
  }

  #set(at: number, item: number, score: number): void {
    this.#items[at] = item;
    this.#scores[at] = score;
  }
}
