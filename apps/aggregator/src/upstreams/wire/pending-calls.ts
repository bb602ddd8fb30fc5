const SMALLEST = 64;

/**
 * What is under way, by a number that is never given twice. A Map would do, but each table it has outgrown keeps alive what
 * was in it until the next full collection, and at many short calls that becomes most of what the collector does.
 */
export class PendingCalls<T extends { readonly id: number }> {
  /** A power of two long; a call is at its number modulo that length. */
  #places = new Array<T | undefined>(SMALLEST).fill(undefined);
  #lastId = 0;
  #size = 0;

  /** A number for the next call; one whose place is still taken is left out. */
  nextId(): number {
    if (this.#size * 2 >= this.#places.length) this.#grow();
    const mask = this.#places.length - 1;
    do this.#lastId++;
    while (this.#places[this.#lastId & mask] !== undefined);
    return this.#lastId;
  }

  add(call: T): void {
    this.#places[this.#placeOf(call.id)] = call;
    this.#size++;
  }

  get(id: number): T | undefined {
    const call = this.#places[this.#placeOf(id)];
    return call?.id === id ? call : undefined;
  }

  /** False when it was not there. */
  remove(call: T): boolean {
    const place = this.#placeOf(call.id);
    if (this.#places[place] !== call) return false;
    this.#places[place] = undefined;
    this.#size--;
    return true;
  }

  /** All of them, the oldest first. */
  all(): T[] {
    return this.#places.filter((call) => call !== undefined).sort((a, b) => a.id - b.id);
  }

  #placeOf(id: number): number {
    return id & (this.#places.length - 1);
  }

  #grow(): void {
    const calls = this.all();
    this.#places = new Array<T | undefined>(this.#places.length * 2).fill(undefined);
    for (const call of calls) this.#places[this.#placeOf(call.id)] = call;
  }
}
