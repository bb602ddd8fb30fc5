/** The directions of thousands of vectors are those of a part of them, found in a fraction of the time. */
const MAX_SAMPLED = 1_000;

/** Points on a plane that keep the two directions in which the vectors differ most (power iteration on the spread). */
export function project(vectors: readonly (readonly number[])[]): readonly (readonly [number, number])[] {
  const size = vectors[0]?.length ?? 0;
  if (vectors.length === 0 || size === 0) return [];
  const mean = Array.from(
    { length: size },
    (_, at) => vectors.reduce((sum, vector) => sum + vector[at]!, 0) / vectors.length,
  );
  const centred = vectors.map((vector) => vector.map((value, at) => value - mean[at]!));
  const sample = centred.filter((_, at) => at % Math.ceil(centred.length / MAX_SAMPLED) === 0);
  const first = direction(sample, []);
  const second = direction(sample, [first]);
  return centred.map((vector) => [dot(vector, first), dot(vector, second)] as const);
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

function direction(vectors: readonly (readonly number[])[], others: readonly (readonly number[])[]): number[] {
  const size = vectors[0]!.length;
  // A fixed start gives the same picture for the same texts.
  let axis = normal(Array.from({ length: size }, (_, at) => Math.sin(at + 1 + others.length)));
  for (let round = 0; round < 60; round++) {
    const next = new Array<number>(size).fill(0);
    for (const vector of vectors) {
      const weight = dot(vector, axis);
      for (let at = 0; at < size; at++) next[at]! += weight * vector[at]!;
    }
    for (const other of others) {
      const shared = dot(next, other);
      for (let at = 0; at < size; at++) next[at]! -= shared * other[at]!;
    }
    axis = normal(next);
  }
  return axis;
}

function normal(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}
