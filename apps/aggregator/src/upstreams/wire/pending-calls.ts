const MIN_SIZE = 64;

/**
 * Calls in flight by unique id. A Map would do, but each table it outgrows keeps its entries alive until the next full
 * collection, which dominates garbage collection at many short calls.
 */
export class PendingCalls<T extends { readonly id: number }> {
  /** Length is a power of two; a call is at its id modulo that length. */
  #places = new Array<T | undefined>(MIN_SIZE).fill(undefined);
  #lastId = 0;
  #size = 0;

  /** The next id whose slot is free. */
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

  /** False if it was not there. */
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
