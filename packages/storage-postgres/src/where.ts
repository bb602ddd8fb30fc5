import type {
  CollectionDefinition,
  Condition,
  FieldType,
  FieldValue,
  ListOptions,
  Order,
  StoredRecord,
} from '@atoll-mcp/core/storage';
import { alternatives, checkIgnoreCase, conditions, fieldType, isComparison } from '@atoll-mcp/storage';

/** Parameters of a statement, by position. */
export class Values {
  readonly all: unknown[] = [];

  /** Adds a parameter and returns its placeholder. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

export const SQL_TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'bigint',
  real: 'double precision',
  boolean: 'boolean',
};

// Field names were checked with the definition; quoting keeps them apart from SQL's own words.
export const column = (field: string) => (field === 'id' ? 'id' : `"f_${field}"`);
export const foldedColumn = (field: string) => `"l_${field}"`;

export function whereSql<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  where: ListOptions<R>['where'],
  values: Values,
): string {
  const filters = alternatives(where)?.map((filter) =>
    conditions(definition, filter).map(([field, condition]) => conditionSql(definition, field, condition, values)),
  );
  if (filters === undefined) return 'true';
  const any = filters.map((parts) => (parts.length === 0 ? 'true' : parts.join(' AND ')));
  return any.length === 0 ? 'false' : any.map((all) => `(${all})`).join(' OR ');
}

export function orderSql<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  order: readonly Order<R>[] = [],
): string {
  const parts = order.map(({ field, direction, ignoreCase }) => {
    fieldType(definition, field);
    if (ignoreCase) checkIgnoreCase(definition, field);
    const name = ignoreCase ? foldedColumn(field) : column(field);
    return `${name} ${direction === 'desc' ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
  });
  return [...parts, 'id'].join(', ');
}

function conditionSql<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  field: string,
  condition: Condition,
  values: Values,
): string {
  const name = column(field);
  const type = SQL_TYPES[fieldType(definition, field)];
  const typed = (value: FieldValue) => `${values.add(value)}::${type}`;
  if (!isComparison(condition)) return condition === null ? `${name} IS NULL` : `${name} = ${typed(condition)}`;
  if ('not' in condition) return `${name} IS DISTINCT FROM ${typed(condition.not)}`;
  if ('in' in condition) {
    const present = condition.in.filter((value) => value !== null);
    const orNull = present.length < condition.in.length ? ` OR ${name} IS NULL` : '';
    return `(${name} = ANY(${values.add(present)}::${type}[])${orNull})`;
  }
  if ('contains' in condition) {
    const [searched, part] = folded(field, condition.contains, condition.ignoreCase);
    return `position(${values.add(part)}::text IN ${searched}) > 0`;
  }
  if ('startsWith' in condition) {
    const [searched, part] = folded(field, condition.startsWith, condition.ignoreCase);
    return `starts_with(${searched}, ${values.add(part)}::text)`;
  }
  const bounds = Object.entries(OPERATORS).flatMap(([bound, operator]) => {
    const value = condition[bound as keyof typeof condition];
    return value === undefined ? [] : [`${name} ${operator} ${typed(value)}`];
  });
  return [`${name} IS NOT NULL`, ...bounds].join(' AND ');
}

const OPERATORS = { above: '>', atLeast: '>=', below: '<', atMost: '<=' };

const folded = (field: string, part: string, ignoreCase = false): [column: string, part: string] =>
  ignoreCase ? [foldedColumn(field), part.toLowerCase()] : [column(field), part];
