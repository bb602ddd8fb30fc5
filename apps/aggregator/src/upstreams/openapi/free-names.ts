/** Names that are not taken yet: the second `list` becomes `list_2`. */
export class FreeNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  next(wanted: string): string {
    let name = wanted;
    let number = this.#next.get(wanted) ?? 2;
    for (; this.#taken.has(name); number++) name = `${wanted}_${number}`;
    this.#next.set(wanted, number);
    this.#taken.add(name);
    return name;
  }
}
