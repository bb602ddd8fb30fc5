import { isObject, type Json } from '@atoll-mcp/core';

const MAX_KEYS = 60;
const MAX_DEPTH = 6;
const MAX_ITEMS = 20;
/** Keys that look like a field of a program. Others are data, such as ids and addresses, and are not kept. */
const FIELD = /^[A-Za-z_][A-Za-z_-]{0,39}\d{0,2}$/;

/** A JSON Schema that holds for a value, without anything of the value itself. */
export function schemaOf(value: unknown, depth = 0): Json {
  if (Array.isArray(value)) {
    const items = depth >= MAX_DEPTH ? [] : value.slice(0, MAX_ITEMS).map((item) => schemaOf(item, depth + 1));
    return { type: 'array', ...(items.length > 0 && { items: items.reduce(mergeSchemas) }) };
  }
  if (isObject(value)) return objectSchema(value, depth);
  return { type: value === null ? 'null' : typeof value };
}

function objectSchema(value: Json, depth: number): Json {
  const keys = Object.keys(value);
  if (depth >= MAX_DEPTH) return { type: 'object' };
  if (keys.length <= MAX_KEYS && keys.every((key) => FIELD.test(key))) {
    const properties = Object.fromEntries(keys.map((key) => [key, schemaOf(value[key], depth + 1)]));
    return { type: 'object', properties, required: keys };
  }
  const values = keys.slice(0, MAX_ITEMS).map((key) => schemaOf(value[key], depth + 1));
  return { type: 'object', additionalProperties: values.reduce(mergeSchemas) };
}

/** Whether a value is a schema as these functions make them, so that they can go on with it. */
export function isShape(value: unknown, depth = 0): value is Json {
  if (!isObject(value) || depth > 2 * MAX_DEPTH) return false;
  const { type, anyOf, items, properties, required, additionalProperties } = value;
  const inner = (part: unknown) => part === undefined || isShape(part, depth + 1);
  if (anyOf !== undefined)
    return Array.isArray(anyOf) && anyOf.length > 0 && anyOf.every((form) => isShape(form, depth + 1));
  return (
    typeof type === 'string' &&
    inner(items) &&
    inner(additionalProperties) &&
    (properties === undefined || (isObject(properties) && Object.values(properties).every(inner))) &&
    (required === undefined || (Array.isArray(required) && required.every((key) => typeof key === 'string')))
  );
}

/** A schema that holds for what either holds for. */
export function mergeSchemas(one: Json, other: Json): Json {
  const all = [...formsOf(one)];
  for (const form of formsOf(other)) {
    const at = all.findIndex(({ type }) => type === form.type);
    if (at < 0) all.push(form);
    else all[at] = mergedForm(all[at] as Json, form);
  }
  return all.length === 1 ? (all[0] as Json) : { anyOf: all };
}

const formsOf = (schema: Json): readonly Json[] => (Array.isArray(schema.anyOf) ? (schema.anyOf as Json[]) : [schema]);

function mergedForm(one: Json, other: Json): Json {
  if (one.type === 'array') {
    const items = [one.items, other.items].filter(isObject);
    return { type: 'array', ...(items.length > 0 && { items: items.reduce(mergeSchemas) }) };
  }
  return one.type === 'object' ? mergedObject(one, other) : one;
}

function mergedObject(one: Json, other: Json): Json {
  const [mine, theirs] = [one.properties, other.properties];
  const keys = new Set([...Object.keys(isObject(mine) ? mine : {}), ...Object.keys(isObject(theirs) ? theirs : {})]);
  if (!isObject(mine) || !isObject(theirs) || keys.size > MAX_KEYS) return mapOf(one, other);
  const merged = [...keys].map((key) => {
    const both = [mine, theirs].flatMap((one) => (Object.hasOwn(one, key) ? [one[key]] : [])).filter(isObject);
    return [key, both.reduce(mergeSchemas)] as const;
  });
  const required = listOf(one.required).filter((key) => listOf(other.required).includes(key));
  return { type: 'object', properties: Object.fromEntries(merged), required };
}

/** Objects whose keys are data. */
function mapOf(...schemas: readonly Json[]): Json {
  const values = schemas.flatMap(({ properties, additionalProperties }) => [
    ...(isObject(properties) ? Object.values(properties) : []),
    additionalProperties,
  ]);
  const known = values.filter(isObject);
  return { type: 'object', ...(known.length > 0 && { additionalProperties: known.reduce(mergeSchemas) }) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
