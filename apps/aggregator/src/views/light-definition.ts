import { isObject, type Json } from '@atoll-mcp/core';

/**
 * A built-in tool's definition as `tools/list` shows it: every argument and every field of the answer, without what a caller does not
 * need to choose and call the tool. `describe_tool` and the reference show all of it.
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

/** Formats say what their patterns say, constants what their types say. Lengths are seldom met, and the server checks them. */
function lightArgument(schema: Json): Json {
  const { pattern, propertyNames, type, minLength: _1, maxLength: _2, minItems: _3, maxItems: _4, ...rest } = schema;
  return {
    ...(type !== undefined && rest.const === undefined && { type }),
    ...rest,
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    ...(propertyNames !== undefined && !isAnyText(propertyNames) && { propertyNames }),
  };
}

/** Names and descriptions of the fields. Admits every success and every failure, because clients check both against it. */
function lightAnswer(schema: unknown): unknown {
  // Anything but an object is wrapped for older clients, by what its schema says.
  if (!isObject(schema) || schema.type !== 'object') return schema;
  const [success, failure] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const light = mapSchema(failure === undefined ? success : withFailure(success, failure), lightField);
  return { type: 'object', ...(light as Json) };
}

/** The fields of a success; those that are different in a failure may have any value. */
function withFailure(success: Json, failure: Json): Json {
  const others = isObject(failure.properties) ? failure.properties : {};
  const own = isObject(success.properties) ? success.properties : {};
  const isShared = (name: string, field: unknown) =>
    !Object.hasOwn(others, name) || JSON.stringify(others[name]) === JSON.stringify(field);
  const properties = Object.entries(own).map(([name, field]) => [
    name,
    isShared(name, field) ? field : mapSchema(field, unconstrained),
  ]);
  return { properties: Object.fromEntries(properties) };
}

function unconstrained({ enum: _enum, const: _const, ...rest }: Json): Json {
  return rest;
}

function lightField(schema: Json): Json {
  const { anyOf, oneOf, ...rest } = schema;
  const kept = Object.entries(rest).filter(([keyword]) => FIELD_KEYWORDS.has(keyword));
  // `items: false` belongs to `prefixItems`; without them it would refuse every item.
  const light = Object.fromEntries(kept.filter(([, value]) => typeof value !== 'boolean' && !isEmpty(value)));
  // Positions that may hold anything say nothing.
  if (Array.isArray(light.prefixItems) && light.prefixItems.every(isEmpty)) delete light.prefixItems;
  return { ...lightUnion(anyOf ?? oneOf), ...light };
}

/** Without types a value may fit several members, so that none is `oneOf`. One member beside others that say nothing is enough. */
function lightUnion(members: unknown): Json {
  if (!Array.isArray(members)) return {};
  const telling = members.filter((member) => !isEmpty(member));
  if (telling.length > 1) return { anyOf: members };
  return telling.length === 1 ? unconstrained(telling[0] as Json) : {};
}

const FIELD_KEYWORDS = new Set([
  ...['description', 'properties', 'items', 'prefixItems', 'additionalProperties', 'enum', 'const', '$ref', '$defs'],
]);

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

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
