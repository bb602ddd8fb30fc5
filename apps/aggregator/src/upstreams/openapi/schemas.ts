import { isObject, type Json } from '@atoll-mcp/core';
import { target } from './document.ts';

/** JSON Schema keywords stay as they are; OpenAPI's own are translated or dropped. */
const PLAIN = new Set(
  'type,title,description,default,const,format,required,minimum,maximum,exclusiveMinimum,exclusiveMaximum,multipleOf,minLength,maxLength,pattern,minItems,maxItems,uniqueItems,minProperties,maxProperties'.split(
    ',',
  ),
);
const NESTED = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'not']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Turns schemas of a document into JSON Schema for one tool. What they refer to becomes `$defs`, each once. */
export class ToolSchemas {
  readonly #document: Json;
  readonly #names = new Map<string, string>();
  readonly #defs: Record<string, unknown> = Object.create(null);

  constructor(document: Json) {
    this.#document = document;
  }

  get defs(): Json | undefined {
    return this.#names.size > 0 ? { ...this.#defs } : undefined;
  }

  /** The schema of a request: read-only properties are left out. */
  convert(schema: unknown): Json {
    if (!isObject(schema)) return {};
    if (typeof schema.$ref === 'string') {
      const description = typeof schema.description === 'string' ? { description: schema.description } : {};
      return { $ref: `#/$defs/${this.#define(schema.$ref)}`, ...description };
    }
    const converted: Json = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (PLAIN.has(keyword)) converted[keyword] = value;
      else if (keyword === 'enum' && Array.isArray(value)) converted.enum = value;
      else if (NESTED.has(keyword)) converted[keyword] = typeof value === 'boolean' ? value : this.convert(value);
      else if (LISTS.has(keyword) && Array.isArray(value)) converted[keyword] = value.map((item) => this.convert(item));
      else if (keyword === 'properties' && isObject(value)) converted.properties = this.#properties(value);
    }
    return asJsonSchema(isBinary(schema) ? asBase64(converted) : converted, schema);
  }

  #properties(properties: Json): Json {
    const writable = Object.entries(properties).filter(([, property]) => !isObject(property) || !property.readOnly);
    return Object.fromEntries(writable.map(([name, property]) => [name, this.convert(property)]));
  }

  #define(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const wanted =
      reference
        .split('/')
        .at(-1)
        ?.replaceAll(/[^\w.-]/g, '_') || 'schema';
    let name = wanted;
    for (let next = 2; name in this.#defs; next++) name = `${wanted}_${next}`;
    this.#names.set(reference, name);
    // Named before it is converted: a schema may refer to itself.
    this.#defs[name] = {};
    this.#defs[name] = this.convert(target(this.#document, reference));
    return name;
  }
}

/** Bytes, as OpenAPI 3.0 and 3.1 describe them. */
export const isBinary = ({ type, format, contentMediaType, contentEncoding }: Json): boolean =>
  format === 'binary' || (type !== 'object' && contentMediaType !== undefined && contentEncoding === undefined);

/** Arguments are JSON, which has no bytes. */
function asBase64({ format: _bytes, description, ...rest }: Json): Json {
  const about = typeof description === 'string' ? `${description} (the bytes, as base64)` : 'The bytes, as base64';
  return { ...rest, type: 'string', contentEncoding: 'base64', description: about };
}

/** Translates OpenAPI 3.0 syntax, and drops constraints on properties that were left out. */
function asJsonSchema(converted: Json, schema: Json): Json {
  const { exclusiveMinimum, exclusiveMaximum, required, ...rest } = converted;
  const result: Json = { ...rest };
  if (Array.isArray(required)) {
    const isThere = (name: unknown) =>
      !isObject(schema.properties) || !isObject(result.properties) || !Object.hasOwn(schema.properties, String(name))
        ? true
        : Object.hasOwn(result.properties, String(name));
    const left = required.filter(isThere);
    if (left.length > 0) result.required = left;
  }
  if (exclusiveMinimum === true) {
    result.exclusiveMinimum = result.minimum;
    delete result.minimum;
  } else if (typeof exclusiveMinimum === 'number') result.exclusiveMinimum = exclusiveMinimum;
  if (exclusiveMaximum === true) {
    result.exclusiveMaximum = result.maximum;
    delete result.maximum;
  } else if (typeof exclusiveMaximum === 'number') result.exclusiveMaximum = exclusiveMaximum;
  if (schema.nullable === true && typeof result.type === 'string') {
    result.type = [result.type, 'null'];
    if (Array.isArray(result.enum) && !result.enum.includes(null)) result.enum = [...result.enum, null];
  }
  if (schema.nullable === true && (result.allOf || result.oneOf || result.anyOf) && result.type === undefined) {
    return { anyOf: [result, { type: 'null' }] };
  }
  return result;
}
