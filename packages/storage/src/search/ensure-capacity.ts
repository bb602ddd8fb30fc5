/** The same array, or a larger copy of it that has room for `length`. */
export function ensureCapacity<T extends Uint32Array | Float32Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const Numbers = array.constructor as new (length: number) => T;
  const larger = new Numbers(Math.max(length, Math.ceil(array.length * 1.5), 1024));
  larger.set(array);
  return larger;
}
