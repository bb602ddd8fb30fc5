import { isObject, type Json } from '@atoll-mcp/core';

/** A server's schema is untrusted: a check that would take longer is left to the server. */
const MAX_STEPS = 100_000;
const MAX_DEPTH = 64;

/**
 * What is wrong with arguments by the tool's schema, or undefined. `pattern`, `format`, `not` and conditions are left to the
 * server: an untrusted pattern could run forever here.
 */
export function argumentProblem(schema: unknown, args: Json): string | undefined {
  return new ArgumentCheck(schema).problem(schema, args, '', 0);
}

class ArgumentCheck {
  readonly #root: unknown;
  #steps = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  problem(schema: unknown, value: unknown, path: string, depth: number): string | undefined {
    if (schema === false) return `${named(path)} is not allowed`;
    if (!isObject(schema) || ++this.#steps > MAX_STEPS || depth > MAX_DEPTH) return undefined;
    const inner = (other: unknown) => this.problem(other, value, path, depth + 1);
    return (
      (typeof schema.$ref === 'string' ? inner(this.#resolve(schema.$ref)) : undefined) ??
      typeProblem(schema, value, path) ??
      choiceProblem(schema, value, path) ??
      boundProblem(schema, value, path) ??
      first(asList(schema.allOf), inner) ??
      this.#alternatives(schema.anyOf ?? schema.oneOf, inner, path) ??
      (Array.isArray(value) ? this.#items(schema, value, path, depth) : undefined) ??
      (isObject(value) ? this.#properties(schema, value, path, depth) : undefined)
    );
  }

  #alternatives(schemas: unknown, inner: (schema: unknown) => string | undefined, path: string): string | undefined {
    const problems = asList(schemas).map(inner);
    if (problems.length === 0 || problems.includes(undefined)) return undefined;
    return problems.length === 1 ? problems[0] : `${named(path)} fits none of its forms: ${problems.join('; or ')}`;
  }

  #items(schema: Json, value: readonly unknown[], path: string, depth: number): string | undefined {
    const heads = asList(schema.prefixItems);
    return first(value, (item, index) => {
      const own = index < heads.length ? heads[index] : schema.items;
      return own === undefined ? undefined : this.problem(own, item, `${path}[${index}]`, depth + 1);
    });
  }

  #properties(schema: Json, value: Json, path: string, depth: number): string | undefined {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const missing = asList(schema.required).find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
    if (missing !== undefined) return `${named(join(path, String(missing)))} is required`;
    return first(Object.keys(value), (name) => {
      const at = join(path, name);
      if (Object.hasOwn(properties, name)) return this.problem(properties[name], value[name], at, depth + 1);
      if (schema.patternProperties !== undefined) return undefined;
      if (schema.additionalProperties !== false) {
        return this.problem(schema.additionalProperties, value[name], at, depth + 1);
      }
      return `${named(at)} is unknown; known are ${Object.keys(properties).join(', ') || 'none'}`;
    });
  }

  /** Only references into the schema itself are followed. */
  #resolve(ref: string): unknown {
    if (!ref.startsWith('#')) return undefined;
    let at: unknown = this.#root;
    for (const part of ref.split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    return at;
  }
}

function typeProblem({ type }: Json, value: unknown, path: string): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
  if (types.length === 0 || types.some((each) => isOfType(value, each))) return undefined;
  return `${named(path)} must be ${types.join(' or ')}, not ${typeOf(value)}`;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === typeOf(value);
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function choiceProblem(schema: Json, value: unknown, path: string): string | undefined {
  const choices = Object.hasOwn(schema, 'const')
    ? [schema.const]
    : Array.isArray(schema.enum)
      ? schema.enum
      : undefined;
  if (!choices) return undefined;
  const text = JSON.stringify(value);
  if (choices.some((choice) => JSON.stringify(choice) === text)) return undefined;
  return `${named(path)} must be ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}`;
}

const BOUNDS: readonly [
  keyword: string,
  measure: (value: unknown) => number | undefined,
  isLeast: boolean,
  of: string,
][] = [
  ['minimum', numberOf, true, ''],
  ['maximum', numberOf, false, ''],
  ['minLength', lengthOfText, true, ' characters'],
  ['maxLength', lengthOfText, false, ' characters'],
  ['minItems', lengthOfList, true, ' items'],
  ['maxItems', lengthOfList, false, ' items'],
];

function boundProblem(schema: Json, value: unknown, path: string): string | undefined {
  for (const [keyword, measure, isLeast, of] of BOUNDS) {
    const bound = schema[keyword];
    const size = measure(value);
    if (typeof bound !== 'number' || size === undefined || (isLeast ? size >= bound : size <= bound)) continue;
    return `${named(path)} must be at ${isLeast ? 'least' : 'most'} ${bound}${of}`;
  }
  return undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
function lengthOfText(value: unknown): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}
function lengthOfList(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function first<Item>(
  items: readonly Item[],
  problem: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = problem(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
const named = (path: string) => (path === '' ? 'the value' : path);
