import { decodeVector } from '../domain/vector.ts';
import { notAVector } from '../errors.ts';

/** A stored vector, parsed from the form in which it was given. */
export function readStoredVector(given: readonly number[] | string): Float32Array {
  const vector = typeof given === 'string' ? decodeVector(given) : Float32Array.from(given);
  if (!vector) throw notAVector('the text is not base64 of float32 values');
  if (vector.some((value) => !Number.isFinite(value))) throw notAVector('some values are not finite');
  return vector;
}
