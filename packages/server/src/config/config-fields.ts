import type { z } from 'zod';

/** What a field of a configuration is called in each place it can be set. */
export interface ConfigField {
  readonly key: string;
  readonly flag: string | undefined;
  readonly env: readonly string[];
  readonly description: string;
  /** An `object`, which may be a list of them, is written as JSON where only text fits. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'object';
  readonly choices: readonly string[] | undefined;
  readonly defaultText: string | undefined;
  readonly secret: boolean;
}

/** Hints a field may carry in `.meta(…)` beside its description. */
interface FieldHints {
  /** Further environment variables that set it, without the prefix. */
  readonly env?: readonly string[];
  /** `false`: only the environment and the config file set it. */
  readonly flag?: false;
  readonly secret?: boolean;
  /** Describes a default that is computed at start. */
  readonly defaultText?: string;
}

export function fieldsOf(shape: z.ZodRawShape, prefix: string): ConfigField[] {
  return Object.entries(shape).map(([key, schema]) => fieldOf(key, schema as z.ZodType, prefix));
}

function fieldOf(key: string, schema: z.ZodType, prefix: string): ConfigField {
  const layers = unwrap(schema);
  const hints = Object.assign({}, ...layers.map((layer) => layer.meta() ?? {})) as FieldHints & {
    description?: string;
  };
  const inner = layers.at(-1)!;
  const kebab = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    key,
    flag: hints.flag === false ? undefined : kebab,
    env: [`${prefix}_${kebab.replaceAll('-', '_').toUpperCase()}`, ...(hints.env ?? [])],
    description: hints.description ?? '',
    kind: kindOf(inner),
    choices: inner.def.type === 'enum' ? (inner as z.ZodEnum).options.map(String) : undefined,
    defaultText: hints.defaultText ?? defaultOf(schema),
    secret: hints.secret ?? false,
  };
}

function unwrap(schema: z.ZodType): z.ZodType[] {
  const layers: z.ZodType[] = [];
  let layer: z.ZodType | undefined = schema;
  while (layer) {
    layers.push(layer);
    layer = (layer.def as { innerType?: z.ZodType }).innerType ?? (layer.def as { in?: z.ZodType }).in;
  }
  return layers;
}

function kindOf(schema: z.ZodType): ConfigField['kind'] {
  const { type } = schema.def;
  if (type === 'number' || type === 'boolean') return type;
  if (type === 'array') return kindOf((schema as z.ZodArray<z.ZodType>).element) === 'object' ? 'object' : 'list';
  return type === 'object' || type === 'record' ? 'object' : 'text';
}

function defaultOf(schema: z.ZodType): string | undefined {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success || parsed.data === undefined) return undefined;
  const value: unknown = parsed.data;
  if (Array.isArray(value)) return value.length > 0 ? value.join(',') : undefined;
  return typeof value === 'object' ? undefined : String(value);
}
