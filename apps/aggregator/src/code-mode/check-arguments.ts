import { isObject, type Json } from '@atoll-mcp/core';

/** A server's schema is untrusted: a check that would take longer is left to the server. */
const MAX_STEPS = 200_000;
const MAX_DEPTH = 64;
/** Longer messages, and lists in them, are cut. */
const MAX_MESSAGE = 2_000;
const MAX_NAMES = 50;
/** Shorter texts are counted again at each bound. */
const SHORT_TEXT = 1_000;

/**
 * What is wrong with arguments by the tool's schema, or undefined. `pattern`, `format`, `not` and conditions are left to the
 * server: an untrusted pattern could run forever here.
 */
export function argumentProblem(schema: unknown, args: Json): string | undefined {
  return new ArgumentCheck(schema).problem(schema, args, '', 0);
}

class ArgumentCheck {
  readonly #root: unknown;
  readonly #texts = new Map<object, string>();
  readonly #lengths = new Map<string, number>();
  #left = MAX_STEPS;

  constructor(root: unknown) {
    this.#root = root;
  }

  problem(schema: unknown, value: unknown, path: string, depth: number): string | undefined {
    const problem = this.#problem(schema, value, path, depth);
    return problem !== undefined && problem.length > MAX_MESSAGE ? `${problem.slice(0, MAX_MESSAGE)}…` : problem;
  }

  #problem(schema: unknown, value: unknown, path: string, depth: number): string | undefined {
    if (schema === false) return `${named(path)} is not allowed`;
    if (!isObject(schema) || depth > MAX_DEPTH || !this.#spend(1)) return undefined;
    const inner = (other: unknown) => this.problem(other, value, path, depth + 1);
    return (
      (typeof schema.$ref === 'string' ? inner(this.#resolve(schema.$ref)) : undefined) ??
      this.#typeProblem(schema, value, path) ??
      this.#choiceProblem(schema, value, path) ??
      this.#boundProblem(schema, value, path) ??
      first(asList(schema.allOf), inner) ??
      this.#alternatives(schema.anyOf ?? schema.oneOf, inner, path) ??
      (Array.isArray(value) ? this.#items(schema, value, path, depth) : undefined) ??
      (isObject(value) ? this.#properties(schema, value, path, depth) : undefined)
    );
  }

  /** Whether so many steps are left. */
  #spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }

  #alternatives(schemas: unknown, inner: (schema: unknown) => string | undefined, path: string): string | undefined {
    const problems: string[] = [];
    for (const schema of asList(schemas)) {
      const problem = inner(schema);
      if (problem === undefined || !this.#spend(1)) return undefined;
      problems.push(problem);
    }
    if (problems.length < 2) return problems[0];
    return `${named(path)} fits none of its forms: ${listed(problems, '; or ')}`;
  }

  #items(schema: Json, value: readonly unknown[], path: string, depth: number): string | undefined {
    const heads = asList(schema.prefixItems);
    if (schema.items === undefined && heads.length === 0) return undefined;
    return first(value, (item, index) => {
      const own = index < heads.length ? heads[index] : schema.items;
      return own === undefined ? undefined : this.problem(own, item, `${path}[${index}]`, depth + 1);
    });
  }

  #properties(schema: Json, value: Json, path: string, depth: number): string | undefined {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = asList(schema.required);
    const names = Object.keys(value);
    if (!this.#spend(required.length + names.length)) return undefined;
    const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name));
    if (missing !== undefined) return `${named(join(path, String(missing)))} is required`;
    return first(names, (name) => {
      const at = join(path, name);
      if (Object.hasOwn(properties, name)) return this.problem(properties[name], value[name], at, depth + 1);
      if (schema.patternProperties !== undefined) return undefined;
      if (schema.additionalProperties !== false) {
        return this.problem(schema.additionalProperties, value[name], at, depth + 1);
      }
      const known = Object.keys(properties);
      this.#spend(known.length);
      return `${named(at)} is unknown; known are ${listed(known, ', ') || 'none'}`;
    });
  }

  /** Only references into the schema itself are followed. */
  #resolve(ref: string): unknown {
    if (!ref.startsWith('#') || !this.#spend(ref.length / 100)) return undefined;
    let at: unknown = this.#root;
    for (const part of ref.split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    return at;
  }

  #typeProblem({ type }: Json, value: unknown, path: string): string | undefined {
    const given = Array.isArray(type) ? type : [type];
    if (!this.#spend(given.length)) return undefined;
    const types = given.filter((each) => typeof each === 'string');
    if (types.length === 0 || types.some((each) => isOfType(value, each))) return undefined;
    return `${named(path)} must be ${listed(types, ' or ')}, not ${typeOf(value)}`;
  }

  #choiceProblem(schema: Json, value: unknown, path: string): string | undefined {
    const choices = Object.hasOwn(schema, 'const')
      ? [schema.const]
      : Array.isArray(schema.enum)
        ? schema.enum
        : undefined;
    if (!choices || !this.#spend(choices.length)) return undefined;
    if (choices.some((choice) => this.#isEqual(choice, value))) return undefined;
    return `${named(path)} must be ${listed(
      choices.slice(0, MAX_NAMES + 1).map((choice) => this.#textOf(choice)),
      ' or ',
    )}`;
  }

  #isEqual(choice: unknown, value: unknown): boolean {
    if (choice === value) return true;
    return typeof choice === 'object' && typeof value === 'object' && this.#textOf(choice) === this.#textOf(value);
  }

  /** Of an object or a list once, whatever how many choices it is compared with. */
  #textOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
    const text = this.#texts.get(value) ?? JSON.stringify(value);
    this.#texts.set(value, text);
    return text;
  }

  #boundProblem(schema: Json, value: unknown, path: string): string | undefined {
    for (const [keyword, measure, isLeast, of] of BOUNDS) {
      const bound = schema[keyword];
      if (typeof bound !== 'number') continue;
      const size = measure(value, this.#lengths);
      if (size === undefined || (isLeast ? size >= bound : size <= bound)) continue;
      return `${named(path)} must be at ${isLeast ? 'least' : 'most'} ${bound}${of}`;
    }
    return undefined;
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === typeOf(value);
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const BOUNDS: readonly [
  keyword: string,
  measure: (value: unknown, lengths: Map<string, number>) => number | undefined,
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

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
/** In characters, not in halves of surrogate pairs; counted once for a long text. */
function lengthOfText(value: unknown, lengths: Map<string, number>): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length < SHORT_TEXT) return [...value].length;
  const length = lengths.get(value) ?? [...value].length;
  lengths.set(value, length);
  return length;
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

function listed(names: readonly string[], separator: string): string {
  const text = names.slice(0, MAX_NAMES).join(separator).slice(0, MAX_MESSAGE);
  return names.length > MAX_NAMES ? `${text}${separator}…` : text;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
const named = (path: string) => (path === '' ? 'the value' : path);
