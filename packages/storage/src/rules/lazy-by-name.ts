/** Things by name, each made when it is first asked for. */
export function lazyByName<T>(): { get(name: string, make: () => T): T; all(): T[] } {
  const made = new Map<string, T>();
  return {
    get(name, make) {
      const thing = made.get(name) ?? make();
      made.set(name, thing);
      return thing;
    },
    all: () => [...made.values()],
  };
}
