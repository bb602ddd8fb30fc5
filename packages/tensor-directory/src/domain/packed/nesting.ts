/** As many dimensions as NumPy had for long; what is deeper is for JSON.parse, and for the tool to refuse. */
const MAX_DEPTH = 32;

/** Watches the brackets of a nested list go by: whether it is rectangular, and its sizes. */
export class Nesting {
  /** The size that the lists of each level have. */
  readonly shape: number[] = [];
  /** How many entries each open list has so far. */
  readonly #counts: number[] = [];
  /** At which all numbers are; unknown before the first. */
  #depth = 0;

  /** Whether the outermost list has been closed. */
  get isClosed(): boolean {
    return this.shape[0] !== undefined;
  }

  open(): boolean {
    return this.#counts.push(0) <= MAX_DEPTH;
  }

  add(numbers: number): boolean {
    const depth = this.#counts.length;
    this.#depth ||= depth;
    this.#counts[depth - 1]! += numbers;
    return depth === this.#depth;
  }

  close(): boolean {
    const size = this.#counts.pop()!;
    const level = this.#counts.length;
    if (level > 0) this.#counts[level - 1]! += 1;
    this.shape[level] ??= size;
    return size > 0 && this.shape[level] === size;
  }
}
