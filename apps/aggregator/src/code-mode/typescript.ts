import { isObject, type Json } from '@atoll-mcp/core';
import { wrappedSchema } from './call-value.ts';

const MAX_DEPTH = 8;
/** Larger declarations would cost more tokens than they are worth. */
const MAX_LENGTH = 20_000;
const MAX_DESCRIPTION = 10_000;

/** A tool as a function of `tools`, with doc comments. `learned` is used where the tool declares no output schema. */
export function declarationOf(definition: Json, name: string, learned: Json | undefined): string {
  const { inputSchema, outputSchema, annotations } = definition;
  const description = typeof definition.description === 'string' ? shortened(definition.description) : '';
  const input = new TypeWriter(inputSchema);
  const args = input.object(inputSchema, '  ');
  const isOptional =
    !isObject(inputSchema) || !Array.isArray(inputSchema.required) || inputSchema.required.length === 0;
  const declared = isObject(outputSchema) ? (wrappedSchema(outputSchema) ?? outputSchema) : undefined;
  const output = declared ?? learned;
  const result = output ? new TypeWriter(declared ? outputSchema : learned).type(output, '  ', 0) : 'unknown';
  const isReading = isObject(annotations) && annotations.readOnlyHint === true;
  const notes = [
    description,
    isReading ? '' : 'Not marked as read-only: a call may have to be confirmed.',
    declared
      ? ''
      : learned
        ? 'The type of the result was inferred from earlier results.'
        : 'The tool does not declare its result.',
  ];
  const comment = commentOf(notes.filter(Boolean).join('\n'), '  ');
  const text = `interface Tools {\n${comment}  ${keyOf(name)}(args${isOptional ? '?' : ''}: ${args}): Promise<${result}>;\n}`;
  if (text.length <= MAX_LENGTH || (isBare(inputSchema) && isBare(outputSchema))) return text;
  return declarationOf({ ...definition, description, inputSchema: {}, outputSchema: {} }, name, undefined);
}

const isBare = (schema: unknown) => !isObject(schema) || Object.keys(schema).length === 0;
const shortened = (text: string) => (text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION)}…`);

/** JSON Schema as TypeScript types. What cannot be expressed, or comes after the longest text, is `unknown`. */
class TypeWriter {
  readonly #root: unknown;
  readonly #open: unknown[] = [];
  /** References can make a small schema unfold without end. */
  #left = MAX_LENGTH;

  constructor(root: unknown) {
    this.#root = root;
  }

  type(schema: unknown, indent: string, depth: number): string {
    if (schema === false) return 'never';
    if (!isObject(schema) || depth > MAX_DEPTH || this.#left < 0 || this.#open.includes(schema)) return 'unknown';
    this.#left--;
    this.#open.push(schema);
    try {
      return this.#typeOf(schema, indent, depth);
    } finally {
      this.#open.pop();
    }
  }

  object(schema: unknown, indent: string, depth = 0): string {
    const { properties, required, additionalProperties } = isObject(schema) ? schema : ({} as Json);
    const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
    const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => {
      const text = isObject(field) && typeof field.description === 'string' ? field.description : '';
      const inner = `${indent}  `;
      this.#left -= text.length + name.length;
      const mark = needed.has(name) ? '' : '?';
      return `${commentOf(text, inner)}${inner}${keyOf(name)}${mark}: ${this.type(field, inner, depth + 1)};\n`;
    });
    if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
      const type = fields.length > 0 ? 'unknown' : this.type(additionalProperties, `${indent}  `, depth + 1);
      fields.push(`${indent}  [name: string]: ${type};\n`);
    }
    return fields.length === 0 ? 'Record<string, unknown>' : `{\n${fields.join('')}${indent}}`;
  }

  #typeOf(schema: Json, indent: string, depth: number): string {
    const inner = (other: unknown) => this.type(other, indent, depth + 1);
    if (typeof schema.$ref === 'string') return inner(this.#resolve(schema.$ref));
    if (Object.hasOwn(schema, 'const')) return this.#literals([schema.const]);
    if (Array.isArray(schema.enum)) return this.#literals(schema.enum);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(alternatives)) return union(alternatives.map(inner));
    if (Array.isArray(schema.allOf)) return schema.allOf.map((part) => `(${inner(part)})`).join(' & ') || 'unknown';
    const types = Array.isArray(schema.type)
      ? schema.type
      : [schema.type ?? (schema.properties ? 'object' : undefined)];
    return union(types.map((type) => this.#named(type, schema, indent, depth)));
  }

  #literals(values: readonly unknown[]): string {
    const text = union(values.map((value) => JSON.stringify(value) ?? 'unknown'));
    this.#left -= text.length;
    return text;
  }

  #named(type: unknown, schema: Json, indent: string, depth: number): string {
    if (type === 'integer' || type === 'number') return 'number';
    if (type === 'string' || type === 'boolean' || type === 'null') return type;
    if (type === 'object') return this.object(schema, indent, depth);
    if (type !== 'array') return 'unknown';
    if (Array.isArray(schema.prefixItems)) {
      return `[${schema.prefixItems.map((item) => this.type(item, indent, depth + 1)).join(', ')}]`;
    }
    const item = this.type(schema.items, indent, depth + 1);
    return /^[\w"]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  }

  #resolve(ref: string): unknown {
    let at: unknown = ref.startsWith('#') ? this.#root : undefined;
    for (const part of ref.split('/').slice(1)) {
      at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
    }
    return at;
  }
}

const union = (types: readonly string[]) => [...new Set(types)].join(' | ') || 'unknown';
const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function commentOf(text: string, indent: string): string {
  const lines = text.replaceAll('*/', '*\\/').split(/\r\n|[\n\r\u2028\u2029]/);
  if (text === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
