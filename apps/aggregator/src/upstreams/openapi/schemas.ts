import { isObject, type Json } from '@atoll-mcp/core';
import { target } from './document.ts';
import { FreeNames } from './free-names.ts';

/** JSON Schema keywords stay as they are; OpenAPI's own are translated or dropped. */
const PLAIN = new Set(
  'type,title,description,default,const,format,required,minimum,maximum,exclusiveMinimum,exclusiveMaximum,multipleOf,minLength,maxLength,pattern,minItems,maxItems,uniqueItems,minProperties,maxProperties'.split(
    ',',
  ),
);
const NESTED = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'not']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** The schemas of a tool are more than is listed. */
export class SchemasTooLarge extends Error {}

const MAX_NESTING = 100;
const MAX_NAME_CHARS = 100;
/** Of text that count as one. */
const CHARS = 50;

/** Turns schemas of a document into JSON Schema for one tool. What they refer to becomes `$defs`, each once. */
export class ToolSchemas {
  readonly #document: Json;
  readonly #names = new Map<string, string>();
  readonly #taken = new FreeNames();
  readonly #defs = new Map<string, Json>();
  readonly #waiting: (readonly [name: string, reference: string])[] = [];
  readonly #most: number;
  #size = 0;

  /** `most` bounds the number of keywords and values, of which long texts are several. */
  constructor(document: Json, most: number) {
    this.#document = document;
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** What the schemas refer to. Without recursion: chains of references may be long. Throws `SchemasTooLarge`. */
  defs(): Json | undefined {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      const [name, reference] = next;
      this.#defs.set(name, this.convert(target(this.#document, reference)));
    }
    return this.#defs.size > 0 ? Object.fromEntries(this.#defs) : undefined;
  }

  /** The schema of a request: read-only properties are left out. Throws `SchemasTooLarge`. */
  convert(schema: unknown, depth = 0): Json {
    this.#count(1);
    if (depth > MAX_NESTING) throw new SchemasTooLarge();
    if (!isObject(schema)) return {};
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, schema.description);
    const inner = (value: unknown) => this.convert(value, depth + 1);
    const converted: Json = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (PLAIN.has(keyword) || (keyword === 'enum' && Array.isArray(value))) converted[keyword] = this.#counted(value);
      else if (NESTED.has(keyword)) converted[keyword] = typeof value === 'boolean' ? value : inner(value);
      else if (LISTS.has(keyword) && Array.isArray(value)) converted[keyword] = value.map(inner);
      else if (keyword === 'properties' && isObject(value)) converted.properties = this.#properties(value, inner);
    }
    return asJsonSchema(isBinary(schema) ? asBase64(converted) : converted, schema);
  }

  #properties(properties: Json, inner: (value: unknown) => Json): Json {
    const writable = Object.entries(properties).filter(([, property]) => !isObject(property) || !property.readOnly);
    return Object.fromEntries(writable.map(([name, property]) => [this.#counted(name), inner(property)]));
  }

  #reference(reference: string, about: unknown): Json {
    let name = this.#names.get(reference);
    if (name === undefined) {
      const last = reference.slice(reference.lastIndexOf('/') + 1).slice(0, MAX_NAME_CHARS);
      name = this.#taken.next(last.replaceAll(/[^\w.-]/g, '_') || 'schema');
      this.#names.set(reference, name);
      this.#waiting.push([name, reference]);
    }
    return { $ref: `#/$defs/${name}`, ...(typeof about === 'string' && { description: this.#counted(about) }) };
  }

  /** Without recursion, and no further than the limit: YAML may repeat a large value many times. */
  #counted<Value>(value: Value): Value {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const next = open.pop();
      this.#count(typeof next === 'string' ? 1 + next.length / CHARS : 1);
      if (typeof next !== 'object' || next === null) continue;
      for (const [name, item] of Object.entries(next)) {
        this.#count(name.length / CHARS);
        open.push(item);
      }
    }
    return value;
  }

  #count(size: number): void {
    this.#size += size;
    if (this.#size > this.#most) throw new SchemasTooLarge();
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
    const left = required.filter((name) => typeof name === 'string' && !isLeftOut(name, schema, result));
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

const isLeftOut = (name: string, schema: Json, { properties }: Json) =>
  isObject(schema.properties) &&
  isObject(properties) &&
  Object.hasOwn(schema.properties, name) &&
  !Object.hasOwn(properties, name);
