import type { JsonSchema } from '@atoll-mcp/core';
import fc from 'fast-check';

export interface ArgumentsOptions {
  /** Words that mean something to the server, such as the names of what it holds: nonsense alone never gets far. */
  readonly words: readonly string[];
}

/** Arguments that are always wrong or odd: wrong kinds, edges of numbers, text that other layers would read as code or paths. */
const NASTY: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MIN_VALUE],
  ...['', ' ', '\0', '\ud800', '\u202e', '🏝️'.repeat(50), '中文', 'x'.repeat(20_000), '%00', '$HOME', '{{name}}'],
  ...['../../etc/passwd', '/dev/zero', 'file:///etc/passwd', "'; DROP TABLE records; --", '<script>', '__proto__'],
  ...['NaN', 'Infinity', '1e999', '0x10', '2026-13-45', 'null', '[]', '{', '::', '-1:', '*', '%', '_', '\\'],
  ...[[], {}, [[]], [null], [{}], [[[[[[[[1]]]]]]]], { constructor: 1 }, { length: 1e9 }, [1, 'a', [2]]],
];

/** Arguments that a schema asks for, most of them spoilt somewhere. */
export function argumentsFor(schema: JsonSchema, options: ArgumentsOptions): fc.Arbitrary<Record<string, unknown>> {
  const fitting = valueFor(schema, { ...options, root: schema, depth: 0 });
  return fitting.map((value) => (isObject(value) ? value : {}));
}

interface Place extends ArgumentsOptions {
  readonly root: JsonSchema;
  readonly depth: number;
}

function valueFor(schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  const fitting = fittingFor(schema, { ...place, depth: place.depth + 1 });
  if (place.depth === 0) return fitting;
  return fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: fc.constantFrom(...NASTY) });
}

function fittingFor(schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  if (place.depth > 8) return fc.constant(null);
  if (typeof schema.$ref === 'string') return valueFor(resolved(schema.$ref, place.root), place);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(choice, place)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectFor(schema, place);
    case 'array':
      return fc.array(valueFor((schema.items ?? {}) as JsonSchema, place), { maxLength: 6 });
    case 'string':
      return fc.oneof(fc.constantFrom('', ...place.words), fc.constantFrom('a', ...place.words), fc.string());
    case 'integer':
      return fc.oneof(fc.integer(bounds(schema)), fc.integer());
    case 'number':
      return fc.oneof(fc.double({ ...bounds(schema), noNaN: true }), fc.integer());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function objectFor(schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as string[]);
  const fields = properties.map(([name, field]) =>
    fc
      .tuple(valueFor(field, place), fc.integer({ min: 0, max: 9 }))
      // A required field goes missing now and then; an optional one is there half of the time.
      .map(([value, dice]) => (dice >= (required.has(name) ? 1 : 5) ? [[name, value]] : [])),
  );
  const extra = fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: unknownField() });
  return fc.tuple(extra, ...fields).map((pairs) => Object.fromEntries(pairs.flat() as [string, unknown][]));
}

function unknownField(): fc.Arbitrary<[string, unknown][]> {
  return fc.tuple(fc.constantFrom('unknown', 'constructor', ''), fc.jsonValue()).map((pair) => [pair]);
}

function bounds({ minimum, maximum }: JsonSchema): { min: number; max: number } {
  return { min: (minimum as number | undefined) ?? -10, max: (maximum as number | undefined) ?? 1_000 };
}

function resolved(reference: string, root: JsonSchema): JsonSchema {
  if (reference === '#') return root;
  return reference
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key] as JsonSchema, root);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
