export interface NearRow {
  readonly row: number;
  /** From -1 to 1. */
  readonly cosine: number;
  /** Euclidean. */
  readonly distance: number;
}

/** Finds the rows most like one of them while all are streamed past; ties go to the first. */
export class NearestRows {
  readonly #query: Float64Array;
  readonly #ownRow: number;
  readonly #limit: number;
  readonly #norm: number;
  readonly #best: NearRow[] = [];
  #row = 0;
  #column = 0;
  #dot = 0;
  #squares = 0;
  #apart = 0;
  #left = 0;

  constructor(query: Float64Array, ownRow: number, limit: number) {
    this.#query = query;
    this.#ownRow = ownRow;
    this.#limit = limit;
    this.#norm = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  }

  /** Whether the row itself has a direction: it is finite, and not all zeros. */
  get isUsable(): boolean {
    return this.#norm > 0 && Number.isFinite(this.#norm);
  }

  /** The next values in row-major order; a piece may end inside a row. */
  add(values: Float64Array): void {
    for (const value of values) {
      const own = this.#query[this.#column]!;
      this.#dot += own * value;
      this.#squares += value * value;
      this.#apart += (own - value) ** 2;
      if (++this.#column === this.#query.length) this.#endRow();
    }
  }

  /** The most similar first, and how many rows have no direction to compare. */
  result(): { rows: readonly NearRow[]; leftOut: number } {
    return { rows: this.#best, leftOut: this.#left };
  }

  #endRow(): void {
    const cosine = this.#dot / (this.#norm * Math.sqrt(this.#squares));
    const distance = Math.sqrt(this.#apart);
    if (!Number.isFinite(cosine)) this.#left++;
    else if (this.#row !== this.#ownRow) this.#offer({ row: this.#row, cosine: clamped(cosine), distance });
    this.#row++;
    this.#column = this.#dot = this.#squares = this.#apart = 0;
  }

  #offer(found: NearRow): void {
    const worst = this.#best[this.#limit - 1];
    if (worst && worst.cosine >= found.cosine) return;
    let at = this.#best.length;
    while (at > 0 && this.#best[at - 1]!.cosine < found.cosine) at--;
    this.#best.splice(at, 0, found);
    if (this.#best.length > this.#limit) this.#best.pop();
  }
}

/** Rounding may lead a little beyond. */
function clamped(cosine: number): number {
  return Math.max(-1, Math.min(1, cosine));
}
