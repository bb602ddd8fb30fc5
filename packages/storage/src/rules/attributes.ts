import type { FieldValue, NumberRange, SearchFilter } from '@atoll-mcp/core/storage';

type Allowed = NonNullable<SearchFilter['attributes']>[string];

export const isRange = (allowed: Allowed): allowed is NumberRange =>
  typeof allowed === 'object' && allowed !== null && !Array.isArray(allowed);

/** The values that are allowed, where they are not a range. */
export const allowedValues = (allowed: Exclude<Allowed, NumberRange>): readonly FieldValue[] =>
  Array.isArray(allowed) ? allowed : [allowed as FieldValue];

export function isAllowed(value: FieldValue, allowed: Allowed): boolean {
  if (!isRange(allowed)) return allowedValues(allowed).includes(value);
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = allowed;
  return typeof value === 'number' && value >= atLeast && value <= atMost;
}
