import type {
  CollectionDefinition,
  Condition,
  FieldType,
  FieldValue,
  Filter,
  ListOptions,
  StoredRecord,
} from '@atoll-mcp/core/storage';
import { invalid } from '@atoll-mcp/core/storage';

const NAME = /^[a-z][a-z0-9_]{0,47}$/;
const FIELD = /^[A-Za-z][A-Za-z0-9_]{0,47}$/;

export type Where<R> = ListOptions<R>['where'];

/** Refuses a name that could not be a table, a folder and a file everywhere. */
export function checkName(name: string): void {
  if (!NAME.test(name)) {
    throw invalid(`"${name}" can't name a store. Use lower-case letters, digits and underscores, a letter first.`);
  }
}

export function checkCollection<R extends StoredRecord>(definition: CollectionDefinition<R>): void {
  checkName(definition.name);
  for (const field of Object.keys(definition.fields)) {
    if (!FIELD.test(field) || field === 'id') throw invalid(`"${field}" can't be a field of "${definition.name}".`);
  }
  for (const field of definition.ignoreCase ?? []) {
    if (fieldType(definition, field) !== 'text') throw invalid(`"${field}" is not text, so it has no case to ignore.`);
  }
  for (const field of [...(definition.unique ?? []), ...(definition.indexes ?? [])].flat())
    fieldType(definition, field);
}

export function fieldType<R extends StoredRecord>(definition: CollectionDefinition<R>, field: string): FieldType {
  if (field === 'id') return 'text';
  const fields: Readonly<Record<string, FieldType | undefined>> = definition.fields;
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (type === undefined) {
    const known = ['id', ...Object.keys(fields)].join(', ');
    throw invalid(`"${definition.name}" can't be filtered or sorted by "${field}". Declared are: ${known}.`);
  }
  return type;
}

/** The value a record has in a declared field, checked against the field's type. */
export function fieldValue<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  record: R,
  field: string,
): FieldValue {
  const value = (record as unknown as Record<string, unknown>)[field];
  if (value === undefined || value === null) return null;
  const type = fieldType(definition, field);
  const fits =
    type === 'text'
      ? typeof value === 'string'
      : type === 'boolean'
        ? typeof value === 'boolean'
        : type === 'integer'
          ? Number.isSafeInteger(value)
          : typeof value === 'number' && !Number.isNaN(value);
  if (!fits) throw invalid(`Field "${field}" of "${definition.name}" takes ${type} values, not ${describe(value)}.`);
  return value as FieldValue;
}

export function checkRecord(record: StoredRecord): void {
  if (typeof record.id !== 'string' || record.id === '')
    throw invalid('A record needs an id: a string that is not empty.');
}

/** The filters of which one must hold; none at all means everything. */
export function alternatives<R>(where: Where<R>): readonly Filter<R>[] | undefined {
  if (where === undefined) return undefined;
  return Array.isArray(where) ? (where as readonly Filter<R>[]) : [where as Filter<R>];
}

/** The conditions of a filter, each seen to fit its field. */
export function conditions<R extends StoredRecord>(
  definition: CollectionDefinition<R>,
  filter: Filter<R>,
): [field: string, condition: Exclude<Condition, undefined>][] {
  const entries = Object.entries(filter as Record<string, Condition | undefined>);
  return entries.flatMap(([field, condition]): [string, Condition][] => {
    if (condition === undefined) return [];
    const type = fieldType(definition, field);
    if (isComparison(condition) && ('contains' in condition || 'startsWith' in condition)) {
      if (type !== 'text') throw invalid(`"${field}" is not text, so it can't be searched for a part.`);
      if (condition.ignoreCase) checkIgnoreCase(definition, field);
    }
    return [[field, condition]];
  });
}

export function checkIgnoreCase<R extends StoredRecord>(definition: CollectionDefinition<R>, field: string): void {
  if (!(definition.ignoreCase as readonly string[] | undefined)?.includes(field)) {
    throw invalid(`Name "${field}" in ignoreCase of "${definition.name}" to search or sort it without regard to case.`);
  }
}

export function checkPage(options: { limit?: number; offset?: number }): { limit: number; offset: number } {
  const { limit = 50, offset = 0 } = options;
  if (!Number.isSafeInteger(limit) || limit < 0) throw invalid('A limit is a whole number from 0 up.');
  if (!Number.isSafeInteger(offset) || offset < 0) throw invalid('An offset is a whole number from 0 up.');
  return { limit, offset };
}

export const isComparison = (condition: Condition): condition is Exclude<Condition, FieldValue> =>
  typeof condition === 'object' && condition !== null;

const describe = (value: unknown) =>
  typeof value === 'object' ? 'an object or list' : `${typeof value} ${String(value).slice(0, 40)}`;
