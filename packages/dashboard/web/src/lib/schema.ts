import type { Schema } from './mcp.ts';

export type Kind = 'text' | 'number' | 'boolean' | 'object' | 'array' | 'json';

/** Which kind of field shows a schema best; what has no single shape is typed as JSON. */
export function kindOf(schema: Schema): Kind {
  const types = [schema.type ?? []].flat() as string[];
  const type = types.find((name) => name !== 'null');
  if (types.filter((name) => name !== 'null').length > 1) return 'json';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'object' && schema.properties) return 'object';
  if (type === 'array' && isSimple(schema.items as Schema | undefined)) return 'array';
  const inner = ((schema.anyOf ?? schema.oneOf ?? []) as Schema[]).filter((option) => option.type !== 'null');
  return inner.length === 1 ? kindOf(inner[0]!) : choicesOf(schema) ? 'text' : 'json';
}

export function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ('const' in schema) return [schema.const];
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  return options?.every((option) => 'const' in option) ? options.map((option) => option.const) : undefined;
}

/** Whether a text field holds the bytes of a file. */
export function fileFieldOf(schema: Schema): boolean {
  return schema.contentEncoding === 'base64' || /base64/i.test(String(schema.description ?? ''));
}

/** A value to begin with that has the schema's shape. */
export function blankOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  const kind = kindOf(schema);
  if (kind === 'text') return choicesOf(schema)?.[0] ?? '';
  if (kind === 'object') return {};
  if (kind === 'array') return [];
  return kind === 'boolean' ? false : undefined;
}

/** Names of required fields that have no value yet. */
export function missingOf(schema: Schema, value: Record<string, unknown>): string[] {
  return ((schema.required ?? []) as string[]).filter((name) => value[name] === undefined);
}

function isSimple(items: Schema | undefined): boolean {
  return items !== undefined && ['text', 'number', 'object'].includes(kindOf(items));
}
