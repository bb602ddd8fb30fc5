import { z } from 'zod';
import { envelopeOf } from './call-tool.ts';
import type { Contract, Tool } from './contract.ts';

export type JsonSchema = Record<string, unknown>;

/** What `tools/list` shows for a tool's arguments. */
export function inputSchemaOf<Service>(tool: Tool<Service>): JsonSchema {
  return toJsonSchema(tool.input, 'input');
}

/** What `tools/list` shows for an answer: SDK v1 clients check failures against it too, so it holds both. */
export function outputSchemaOf<Service>(contract: Contract<Service>, tool: Tool<Service>): JsonSchema {
  const envelope = envelopeOf(contract, tool);
  const success = toJsonSchema(envelope.success(tool.output), 'output');
  if (envelope.failure instanceof z.ZodString) return success;
  const failure = failureSchema(envelope.failure);
  if (success.type !== 'object' || failure.type !== 'object') return { anyOf: [success, failure] };
  // The root must say "object", or 2025-era clients get the body wrapped once more.
  return { type: 'object', anyOf: [success, failure] };
}

/** Most tools of a contract fail in the same words. */
const failures = new WeakMap<z.ZodType, JsonSchema>();

function failureSchema(schema: z.ZodType): JsonSchema {
  const known = failures.get(schema) ?? toJsonSchema(schema, 'output');
  failures.set(schema, known);
  return known;
}

/** No `$schema`: some clients refuse one dialect, some the other, and the default suits all. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy });
  return withAlternatives(json) as JsonSchema;
}

/**
 * Strict validators want alternatives in the place of a list of types, and refuse `items: false` after a tuple.
 * Changes the schema in place: every start converts hundreds of them.
 */
function withAlternatives(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  const schema = part as Record<string, unknown>;
  // `maxItems` says the same.
  if (schema.items === false && 'maxItems' in schema) delete schema.items;
  for (const key of Object.keys(schema)) schema[key] = withAlternatives(schema[key]);
  return hasAlternatives(schema.type) ? withAnyOf(schema, schema.type) : schema;
}

const hasAlternatives = (type: unknown): type is unknown[] => Array.isArray(type) && type.length > 1;

/** What is said of a value, whichever of its types it has. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'enum', 'const']);

/** In the place of the type, because the order of keywords is part of the snapshots. */
function withAnyOf(schema: Record<string, unknown>, types: unknown[]): unknown {
  const values = types.filter((type) => type !== 'null');
  // Limits of the one type that is not null stand beside it.
  const limits = Object.entries(schema).filter(
    ([key]) => values.length === 1 && key !== 'type' && !ANNOTATIONS.has(key),
  );
  const anyOf = types.map((type) => (type === 'null' ? { type } : { type, ...Object.fromEntries(limits) }));
  const moved = new Set(limits.map(([key]) => key));
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !moved.has(key))
      .map(([key, value]) => (key === 'type' ? ['anyOf', anyOf] : [key, value])),
  );
}

function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // The bounds of a safe integer are noise to a reader.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Answers may gain fields without breaking a client that checks them.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
