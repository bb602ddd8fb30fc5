import type { Json } from '@atoll-mcp/core';

import { isObject } from '@atoll-mcp/core';

/** Keywords whose values are data: a `$ref` in there refers to nothing. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords that map names of the author's own to schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Older clients know only objects as structured content, so any other schema becomes that of `{ result }`. */
export function wrapOutputSchema(schema: Json): Json {
  return { type: 'object', properties: { result: moved(schema) }, required: ['result'] };
}

/** The same schema one level down, its references within the document included. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (!isObject(schema) || hasOwnBase(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, movedKeyword(key, value)]));
}

function movedKeyword(key: string, value: unknown): unknown {
  if (DATA.has(key)) return value;
  if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string') return movedReference(value);
  if (!NAMED.has(key) || !isObject(value)) return moved(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, moved(inner)]));
}

function movedReference(reference: string): string {
  if (reference === '#') return '#/properties/result';
  return reference.startsWith('#/') ? `#/properties/result${reference.slice(1)}` : reference;
}

function hasOwnBase({ $id }: Json): boolean {
  return typeof $id === 'string' && !$id.startsWith('#');
}
