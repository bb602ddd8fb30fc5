import type { Schema } from './mcp.ts';
import { t } from './texts.ts';

export type Kind = 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'map' | 'array' | 'variants' | 'json';

/** A schema with its references followed and its parts merged; `root` is where references lead. */
export function resolve(schema: Schema, root: Schema): Schema {
  let found = schema;
  // A reference that leads to itself ends here and is typed as JSON.
  for (let hops = 0; typeof found.$ref === 'string' && hops < 20; hops++) {
    const { $ref, ...beside } = found;
    found = { ...target($ref as string, root), ...beside };
  }
  if (Array.isArray(found.allOf)) {
    const { allOf, ...own } = found;
    const parts = (allOf as Schema[]).map((part) => resolve(part, root));
    found = parts.reduce((merged, part) => merge(merged, part), own as Schema);
  }
  const options = optionsOf(found).filter((option) => !isNull(resolve(option, root)));
  // "This or null" is simply optional in a form.
  if (options.length === 1) {
    const { anyOf, oneOf, ...own } = found;
    return merge(own as Schema, resolve(options[0]!, root));
  }
  return found;
}

/** Which kind of field shows a resolved schema best; what has no single shape is typed as JSON. */
export function kindOf(schema: Schema): Kind {
  if (choicesOf(schema)) return 'choice';
  const types = ([schema.type ?? []].flat() as string[]).filter((name) => name !== 'null');
  const [type] = types;
  if (types.length > 1) return 'json';
  if (optionsOf(schema).length > 1) return 'variants';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'object' || schema.properties) {
    if (schema.properties && Object.keys(schema.properties).length > 0) return 'object';
    return isSchema(schema.additionalProperties) ? 'map' : 'json';
  }
  return type === 'array' && isSchema(schema.items) ? 'array' : 'json';
}

export function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ('const' in schema) return [schema.const];
  const options = optionsOf(schema);
  return options.length > 0 && options.every((option) => 'const' in option)
    ? options.map((option) => option.const)
    : undefined;
}

/** The shapes that a value may have one of, nothing at all left out. */
export function variantsOf(schema: Schema, root: Schema): readonly { name: string; schema: Schema }[] {
  const { anyOf, oneOf, ...shared } = schema;
  return optionsOf(schema)
    .map((option) => resolve(option, root))
    .filter((option) => !isNull(option))
    .map((option, index) => ({ name: nameOf(option, index), schema: merge(shared as Schema, option) }));
}

/** The fields of an object in the order of a form: what is required, then single values, then groups of fields. */
export function fieldsOf(schema: Schema, root: Schema): readonly (readonly [name: string, field: Schema])[] {
  const required = new Set((schema.required ?? []) as string[]);
  const rank = ([name, field]: readonly [string, Schema]) => {
    if (required.has(name)) return 0;
    return GROUPS.has(kindOf(resolve(field, root))) ? 2 : 1;
  };
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return fields.sort((one, other) => rank(one) - rank(other));
}

const GROUPS: ReadonlySet<Kind> = new Set(['object', 'map', 'array', 'variants']);

/** Arguments to begin with: the example of the schema itself, else the examples of the fields that are required. */
export function exampleOf(schema: Schema): Record<string, unknown> {
  const [example] = Array.isArray(schema.examples) ? (schema.examples as unknown[]) : [];
  if (isSchema(example)) return example;
  const required = (schema.required ?? []) as string[];
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return Object.fromEntries(
    required.flatMap((name) => {
      const examples = properties[name] && resolve(properties[name], schema).examples;
      return Array.isArray(examples) && examples.length > 0 ? [[name, examples[0]]] : [];
    }),
  );
}

/** Whether a text field holds the bytes of a file. */
export function fileFieldOf(schema: Schema): boolean {
  return schema.contentEncoding === 'base64' || /base64/i.test(String(schema.description ?? ''));
}

/** A value to begin with that has the schema's shape. */
export function blankOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  const kind = kindOf(schema);
  if (kind === 'choice') return choicesOf(schema)![0];
  if (kind === 'object') return constantsOf(schema);
  if (kind === 'map') return {};
  if (kind === 'array') return [];
  if (kind === 'text') return '';
  return kind === 'boolean' ? false : undefined;
}

/** Names of required fields that have no value yet. */
export function missingOf(schema: Schema, value: Record<string, unknown>): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return ((schema.required ?? []) as string[]).filter(
    (name) => value[name] === undefined && properties[name]?.default === undefined,
  );
}

/** Fields that can only have one value, such as the mark by which shapes are told apart. */
function constantsOf(schema: Schema): Record<string, unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(properties.flatMap(([name, field]) => ('const' in field ? [[name, field.const]] : [])));
}

function optionsOf(schema: Schema): readonly Schema[] {
  return (schema.oneOf ?? schema.anyOf ?? []) as readonly Schema[];
}

function nameOf(schema: Schema, index: number): string {
  if (typeof schema.title === 'string') return schema.title;
  const [constant] = Object.values(constantsOf(schema));
  if (constant !== undefined) return String(constant);
  if ('const' in schema) return JSON.stringify(schema.const);
  return typeof schema.type === 'string' ? schema.type : t('shape {index}', { index: index + 1 });
}

function merge(first: Schema, second: Schema): Schema {
  const properties = { ...(first.properties as object), ...(second.properties as object) };
  const required = [...((first.required ?? []) as string[]), ...((second.required ?? []) as string[])];
  return {
    ...second,
    ...first,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function target(reference: string, root: Schema): Schema {
  if (!reference.startsWith('#')) return {};
  const path = reference.slice(1).split('/').slice(1);
  const parts = path.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = parts.reduce<unknown>((at, part) => (isSchema(at) ? at[part] : undefined), root);
  return isSchema(found) ? found : {};
}

function isNull(schema: Schema): boolean {
  return schema.type === 'null' || ('const' in schema && schema.const === null);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
