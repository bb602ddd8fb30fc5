import { isObject, type Json } from '@atoll-mcp/core';

/**
 * A built-in tool's definition as `tools/list` shows it: every argument, and the answer by the names of its fields, without what a
 * caller does not need to choose and call the tool. `describe_tool` and the reference show all of it.
 */
export function lightDefinition(definition: Json): Json {
  const known = made.get(definition);
  if (known) return known;
  const light = lighten(definition);
  made.set(definition, light);
  return light;
}

const made = new WeakMap<Json, Json>();

function lighten(definition: Json): Json {
  const { inputSchema, outputSchema, annotations, ...rest } = definition;
  const { title: _repeated, ...hints } = isObject(annotations) ? annotations : {};
  return {
    ...rest,
    inputSchema: mapSchema(inputSchema, lightArgument),
    ...(outputSchema !== undefined && { outputSchema: lightAnswer(outputSchema) }),
    annotations: hints,
  };
}

/** A format makes its pattern redundant, a constant its type. Lengths and patterns are rarely violated, and the server checks them. */
function lightArgument(schema: Json): Json {
  const { propertyNames, type, title: _0, pattern: _1, minLength: _2, maxLength: _3, minItems: _4, ...others } = schema;
  const { maxItems: _5, ...rest } = others;
  return {
    ...(type !== undefined && rest.const === undefined && { type }),
    ...rest,
    ...(propertyNames !== undefined && !isAnyText(propertyNames) && { propertyNames }),
  };
}

/** The names of a success. Admits every success and every failure, because clients check both against it. */
function lightAnswer(schema: unknown): unknown {
  // Anything but an object is wrapped for older clients, by what its schema says.
  if (!isObject(schema) || schema.type !== 'object') return schema;
  const [success] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  return { type: 'object', ...namesOf(success) };
}

/** A single property is a wrapper, which is useless without the properties in it. */
function namesOf(schema: unknown): Json {
  if (!isObject(schema) || !isObject(schema.properties)) return {};
  const fields = Object.entries(schema.properties);
  const names = fields.map(([name, field]) => [name, fields.length === 1 ? namesOf(field) : {}]);
  return { properties: Object.fromEntries(names) };
}

const isAnyText = (schema: unknown) => JSON.stringify(schema) === '{"type":"string"}';

/** Changes a schema and all schemas in it, innermost first. */
function mapSchema(schema: unknown, change: (schema: Json) => Json): unknown {
  if (!isObject(schema)) return schema;
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    if (MAPS.has(keyword) && isObject(value)) {
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapSchema(inner, change)])),
      ];
    }
    if (LISTS.has(keyword) && Array.isArray(value)) return [keyword, value.map((inner) => mapSchema(inner, change))];
    return [keyword, SCHEMAS.has(keyword) ? mapSchema(value, change) : value];
  });
  return change(Object.fromEntries(mapped));
}

const MAPS = new Set(['properties', '$defs', 'patternProperties']);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMAS = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
