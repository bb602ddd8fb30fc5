const ROUNDS = 3;

/**
 * Turns vectors, all in the same way, so that what they say is spread evenly over their dimensions: lengths and dot
 * products stay, but a bit or a byte per dimension then tells about as much of any vector as of any other.
 */
export function rotator(dimensions: number): (vector: Float32Array) => Float32Array {
  const window = 2 ** Math.floor(Math.log2(dimensions));
  const signs = Array.from({ length: ROUNDS }, (_, round) => randomSigns(dimensions, round + 1));
  return (vector) => {
    const turned = Float32Array.from(vector);
    for (const flips of signs) {
      for (let index = 0; index < dimensions; index++)
        turned[index] = (turned[index] as number) * (flips[index] as number);
      mix(turned.subarray(0, window));
      mix(turned.subarray(dimensions - window));
    }
    return turned;
  };
}

/** The Walsh-Hadamard transform, in place and scaled to keep lengths. */
function mix(values: Float32Array): void {
  const scale = Math.SQRT1_2;
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let index = start; index < start + half; index++) {
        const left = (values[index] as number) * scale;
        const right = (values[index + half] as number) * scale;
        values[index] = left + right;
        values[index + half] = left - right;
      }
    }
  }
}

/** Always the same for the same seed: what is stored is turned as what is asked. */
function randomSigns(length: number, seed: number): Int8Array {
  let state = seed * 2_654_435_761;
  return Int8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 1 ? 1 : -1;
  });
}
