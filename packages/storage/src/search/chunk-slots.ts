import { ensureCapacity } from './ensure-capacity.ts';

/** Where a searcher keeps its chunks: each has a slot, and a document's slots lie side by side. */
export class ChunkSlots {
  readonly #places = new Map<number, number>();
  readonly #docs: number[] = [];
  readonly #ids: string[] = [];
  readonly #starts: number[] = [];
  readonly #sizes: number[] = [];
  #placeOf = new Uint32Array(0);
  #used = 0;
  #live = 0;

  /** All slots that were given out, of removed documents too. */
  get used(): number {
    return this.#used;
  }

  get live(): number {
    return this.#live;
  }

  /** How many documents were ever added; a document's place is below it. */
  get places(): number {
    return this.#docs.length;
  }

  /** Returns the first of the document's slots. */
  add(doc: number, id: string, chunks: number): number {
    const place = this.#docs.length;
    const start = this.#used;
    this.#places.set(doc, place);
    this.#docs.push(doc);
    this.#ids.push(id);
    this.#starts.push(start);
    this.#sizes.push(chunks);
    this.#placeOf = ensureCapacity(this.#placeOf, start + chunks);
    this.#placeOf.fill(place, start, start + chunks);
    this.#used += chunks;
    this.#live += chunks;
    return start;
  }

  /** Returns the slots that are now dead, or undefined when the document is not here. */
  remove(doc: number): { start: number; size: number } | undefined {
    const place = this.#places.get(doc);
    if (place === undefined) return undefined;
    this.#places.delete(doc);
    const size = this.#sizes[place] as number;
    this.#live -= size;
    return { start: this.#starts[place] as number, size };
  }

  place(slot: number): number {
    return this.#placeOf[slot] as number;
  }

  /** What a hit in this slot is called outside. */
  chunk(slot: number): { doc: number; documentId: string; chunk: number } {
    const place = this.place(slot);
    return {
      doc: this.#docs[place] as number,
      documentId: this.#ids[place] as string,
      chunk: slot - (this.#starts[place] as number),
    };
  }

  /** One byte per place: 1 where the document lives and is wanted. */
  mask(wanted: Iterable<number> = this.#places.keys()): Uint8Array {
    const mask = new Uint8Array(this.#docs.length);
    for (const doc of wanted) {
      const place = this.#places.get(doc);
      if (place !== undefined) mask[place] = 1;
    }
    return mask;
  }
}
