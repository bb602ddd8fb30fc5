export type Json = Record<string, unknown>;

/** A JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
