type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${SnakeCase<Tail>}`
    : `_${Lowercase<Head>}${SnakeCase<Tail>}`
  : Name;

type WireNames<Value> = { [Key in keyof Value as Key extends string ? SnakeCase<Key> : Key]: Value[Key] };

/** The same object with its own keys in snake_case. Nested values stay as they are: rows keep the names of their columns. */
export function toWire<Value extends object>(value: Value): WireNames<Value> {
  const entries = Object.entries(value).map(([key, entry]) => [
    key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    entry,
  ]);
  // The type above is what the replacement does.
  return Object.fromEntries(entries) as WireNames<Value>;
}
