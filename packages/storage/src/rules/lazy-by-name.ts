/** Instances by name, each created at first use. */
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
