import type { CollectionDefinition, Condition, FieldValue, Order, StoredRecord } from '@atoll-mcp/core/storage';
import {
  alternatives,
  checkIgnoreCase,
  conditions,
  fieldType,
  fieldValue,
  isComparison,
  type Where,
} from './definitions.ts';

/** A test for records, for drivers without a query language of their own. */
export function matcher<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  where: Where<R>,
): (record: R) => boolean {
  const filters = alternatives(where)?.map((filter) => conditions(definition, filter));
  if (filters === undefined) return () => true;
  return (record) =>
    filters.some((filter) =>
      filter.every(([field, condition]) => holds(fieldValue(definition, record, field), condition)),
    );
}

/** Nulls first, text by code point, ids last of all. */
export function comparer<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  order: readonly Order<R>[] = [],
): (a: R, b: R) => number {
  for (const { field, ignoreCase } of order) {
    fieldType(definition, field);
    if (ignoreCase) checkIgnoreCase(definition, field);
  }
  return (a, b) => {
    for (const { field, direction, ignoreCase } of order) {
      const fold = (value: FieldValue) => (ignoreCase && typeof value === 'string' ? value.toLowerCase() : value);
      const difference = compareValues(fold(fieldValue(definition, a, field)), fold(fieldValue(definition, b, field)));
      if (difference !== 0) return direction === 'desc' ? -difference : difference;
    }
    return compareText(a.id, b.id);
  };
}

/** By code point, as databases compare UTF-8; JavaScript's own order differs beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function holds(value: FieldValue, condition: Condition): boolean {
  if (!isComparison(condition)) return value === condition;
  if ('not' in condition) return value !== condition.not;
  if ('in' in condition) return condition.in.includes(value);
  if ('contains' in condition)
    return typeof value === 'string' && fold(value, condition).includes(fold(condition.contains, condition));
  if ('startsWith' in condition)
    return typeof value === 'string' && fold(value, condition).startsWith(fold(condition.startsWith, condition));
  const { above, atLeast, below, atMost } = condition;
  return (
    value !== null &&
    (above === undefined || compareValues(value, above) > 0) &&
    (atLeast === undefined || compareValues(value, atLeast) >= 0) &&
    (below === undefined || compareValues(value, below) < 0) &&
    (atMost === undefined || compareValues(value, atMost) <= 0)
  );
}

const fold = (text: string, { ignoreCase }: { ignoreCase?: boolean }) => (ignoreCase ? text.toLowerCase() : text);

function compareValues(a: FieldValue, b: FieldValue): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return Number(a) - Number(b);
}

// Surrogates stand for code points above the rest of the BMP, so they rank after it.
const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
