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
  const { title, inputSchema, outputSchema, annotations, ...rest } = definition;
  return {
    ...rest,
    ...(wordsOf(title) !== wordsOf(rest.name) && { title }),
    inputSchema: mapSchema(inputSchema, lightArgument),
    ...(outputSchema !== undefined && lightAnswer(outputSchema)),
    annotations: lightHints(isObject(annotations) ? annotations : {}),
  };
}

/** What a title has in common with a name of the same words, so that "List skills" is not repeated beside `list_skills`. */
const wordsOf = (text: unknown) =>
  String(text)
    .toLowerCase()
    .replace(/\b(a|an|of|the)\b|[^a-z0-9]/g, '');

/** Hints that differ from the protocol's defaults. What destroys says so even though that is the default. */
function lightHints({ title: _repeated, readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Json): Json {
  const isWriting = readOnlyHint !== true;
  return {
    ...(!isWriting && { readOnlyHint }),
    ...(isWriting && { destructiveHint }),
    ...(isWriting && idempotentHint === true && { idempotentHint }),
    ...(openWorldHint !== true && { openWorldHint }),
  };
}

/** Left out: what another keyword implies, and limits that are rarely violated, because the server checks them. */
function lightArgument(schema: Json): Json {
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !UNCHECKED.has(keyword) && !isImplied(keyword, value, schema),
  );
  const { anyOf, ...rest } = Object.fromEntries(kept);
  if (anyOf === undefined) return rest;
  return Array.isArray(anyOf) && anyOf.every(isFormattedText) ? { type: 'string', ...rest } : { ...rest, anyOf };
}

/** Such as a date, where the description says what it is. */
const isFormattedText = (schema: unknown) =>
  isObject(schema) && Object.keys(schema).sort().join() === 'format,type' && schema.type === 'string';

const UNCHECKED = new Set(['title', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems']);

function isImplied(keyword: string, value: unknown, { type, const: constant }: Json): boolean {
  if (keyword === 'type') return constant !== undefined;
  if (keyword === 'additionalProperties') return JSON.stringify(value) === '{}';
  if (keyword === 'minimum' || keyword === 'maximum') return type === 'integer';
  if (keyword === 'default') return value === null;
  if (keyword === 'propertyNames') return JSON.stringify(value) === '{"type":"string"}';
  return false;
}

/** The names of a success. Admits every success and every failure, because clients check both against it. */
function lightAnswer(schema: unknown): Json {
  // Anything but an object is wrapped for older clients, by what its schema says.
  if (!isObject(schema) || schema.type !== 'object') return { outputSchema: schema };
  const [success] = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const names = namesOf(success, ENVELOPE);
  return names.properties ? { outputSchema: { type: 'object', ...names } } : {};
}

/** A single property is a wrapper, which is useless without the properties in it. */
function namesOf(schema: unknown, left?: ReadonlySet<string>): Json {
  const all = Object.entries(propertiesOf(schema));
  const own = all.filter(([name]) => !left?.has(name));
  const names = own.map(([name, field]) => [name, all.length === 1 ? namesOf(field) : {}]);
  return names.length > 0 ? { properties: Object.fromEntries(names) } : {};
}

/** What answers of a server have in common is said once, in its instructions. */
const ENVELOPE = new Set(['success', 'data', 'message', 'timestamp']);

const propertiesOf = (schema: unknown): Json =>
  isObject(schema) && isObject(schema.properties) ? schema.properties : {};

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
