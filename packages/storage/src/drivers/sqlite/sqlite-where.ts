import type { CollectionDefinition, Condition, FieldValue, Order, StoredRecord } from '@atoll-mcp/core/storage';
import {
  alternatives,
  checkIgnoreCase,
  conditions,
  fieldType,
  isComparison,
  type Where,
} from '../../rules/definitions.ts';
import type { SqlValue } from './sqlite-engine.ts';

interface Sql {
  readonly text: string;
  readonly values: SqlValue[];
}

/** Field names were checked with the definition; quoting keeps them apart from SQL's own words. */
export const column = (field: string) => (field === 'id' ? 'id' : `"f_${field}"`);
export const foldedColumn = (field: string) => `"l_${field}"`;

export function whereSql<R extends StoredRecord>(definition: CollectionDefinition<R>, where: Where<R>): Sql {
  const filters = alternatives(where)?.map((filter) => conditions(definition, filter).map(conditionSql));
  if (filters === undefined) return { text: '', values: [] };
  const any = filters.map((parts) => (parts.length === 0 ? '1' : parts.map(({ text }) => text).join(' AND ')));
  const text = any.length === 0 ? '0' : any.map((all) => `(${all})`).join(' OR ');
  return { text: ` WHERE ${text}`, values: filters.flat().flatMap(({ values }) => values) };
}

export function orderSql<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  order: readonly Order<R>[] = [],
): string {
  const parts = order.map(({ field, direction, ignoreCase }) => {
    fieldType(definition, field);
    if (ignoreCase) checkIgnoreCase(definition, field);
    return `${ignoreCase ? foldedColumn(field) : column(field)}${direction === 'desc' ? ' DESC' : ''}`;
  });
  return ` ORDER BY ${[...parts, 'id'].join(', ')}`;
}

export const toSql = (value: FieldValue): SqlValue => (typeof value === 'boolean' ? Number(value) : value);

function conditionSql([field, condition]: [field: string, condition: Condition]): Sql {
  const name = column(field);
  if (!isComparison(condition)) return { text: `${name} IS ?`, values: [toSql(condition)] };
  if ('not' in condition) return { text: `${name} IS NOT ?`, values: [toSql(condition.not)] };
  if ('in' in condition) return inSql(name, condition.in);
  if ('contains' in condition) {
    const [searched, part] = folded(field, condition.contains, condition.ignoreCase);
    return { text: `instr(${searched}, ?) > 0`, values: [part] };
  }
  if ('startsWith' in condition) {
    const [searched, part] = folded(field, condition.startsWith, condition.ignoreCase);
    const end = after(part);
    const below = end === undefined ? '' : ` AND ${searched} < ?`;
    return { text: `(${searched} >= ?${below})`, values: end === undefined ? [part] : [part, end] };
  }
  return rangeSql(name, condition);
}

function inSql(name: string, allowed: readonly FieldValue[]): Sql {
  const values = allowed.filter((value) => value !== null).map(toSql);
  const orNull = values.length < allowed.length ? ` OR ${name} IS NULL` : '';
  // One parameter for the whole list: the engine limits how many there may be.
  return { text: `(${name} IN (SELECT value FROM json_each(?))${orNull})`, values: [JSON.stringify(values)] };
}

function rangeSql(name: string, range: Readonly<Record<string, string | number | undefined>>): Sql {
  const bounds = Object.entries(OPERATORS).filter(([bound]) => range[bound] !== undefined);
  const tests = bounds.map(([bound, operator]) => ({
    text: `${name} ${operator} ?`,
    value: range[bound] as string | number,
  }));
  return {
    text: [`${name} IS NOT NULL`, ...tests.map(({ text }) => text)].join(' AND '),
    values: tests.map(({ value }) => value),
  };
}

const OPERATORS = { above: '>', atLeast: '>=', below: '<', atMost: '<=' };

const folded = (field: string, part: string, ignoreCase = false): [column: string, part: string] =>
  ignoreCase ? [foldedColumn(field), part.toLowerCase()] : [column(field), part];

/** The least text that is above everything beginning with this prefix; undefined when there is none. */
function after(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === 0xd800 ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
