/** The same array, or a larger copy of it that has room for `length`. */
export function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Uint32Array(Math.max(length, array.length * 1.5, 1024));
  larger.set(array);
  return larger;
}
