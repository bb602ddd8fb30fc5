import type { ContractDescription } from '@atoll-mcp/server';

type Schema = Record<string, unknown>;

export interface Incompatibility {
  readonly tool: string;
  /** Where in the tool's description, as in `input.text` or `errors`. */
  readonly place: string;
  readonly reason: string;
}

/**
 * What in a new contract breaks clients of an old one: tools, arguments, output fields or error codes that are gone or mean something
 * else, and arguments that became required. An empty list means that every correct client of the old contract still works.
 */
export function compatibility(before: ContractDescription, after: ContractDescription): Incompatibility[] {
  const found: Incompatibility[] = [];
  const tools = new Map(after.tools.map((tool) => [tool.name, tool]));
  for (const old of before.tools) {
    const tool = tools.get(old.name);
    const report = (place: string, reason: string) => found.push({ tool: old.name, place, reason });
    if (!tool) {
      report('', 'the tool is gone');
      continue;
    }
    compareInput(old.inputSchema, tool.inputSchema, 'input', report);
    compareOutput(old.outputSchema, tool.outputSchema, 'output', report);
    for (const code of old.errors) if (!tool.errors.includes(code)) report('errors', `"${code}" is gone`);
    const wasReadOnly = old.annotations.readOnlyHint && !tool.annotations.readOnlyHint;
    if (wasReadOnly) report('annotations', 'it no longer only reads');
    if (!old.annotations.destructiveHint && tool.annotations.destructiveHint)
      report('annotations', 'it became destructive');
  }
  return found;
}

type Report = (place: string, reason: string) => void;

/** What was accepted must still be accepted. */
function compareInput(before: Schema, after: Schema, place: string, report: Report): void {
  const [oldFields, newFields] = [fieldsOf(before), fieldsOf(after)];
  for (const [name, schema] of oldFields) {
    const next = newFields.get(name);
    if (!next) report(`${place}.${name}`, 'the argument is gone');
    else {
      for (const type of typesOf(schema)) {
        if (!accepts(next, type)) report(`${place}.${name}`, `${type} is no longer accepted`);
      }
      for (const value of missing(schema.enum, next.enum)) {
        report(`${place}.${name}`, `${JSON.stringify(value)} is no longer accepted`);
      }
      compareInput(schema, next, `${place}.${name}`, report);
    }
  }
  for (const name of missing(after.required, before.required))
    report(`${place}.${String(name)}`, 'the argument became required');
}

/** What was promised must still come. */
function compareOutput(before: Schema, after: Schema, place: string, report: Report): void {
  const newFields = fieldsOf(after);
  for (const [name, schema] of fieldsOf(before)) {
    const next = newFields.get(name);
    if (!next) report(`${place}.${name}`, 'the field is gone');
    else {
      for (const type of typesOf(next)) {
        if (!accepts(schema, type)) report(`${place}.${name}`, `it can now be ${type}`);
      }
      compareOutput(schema, next, `${place}.${name}`, report);
    }
  }
  for (const name of missing(before.required, after.required))
    report(`${place}.${String(name)}`, 'the field may now be absent');
}

function fieldsOf(schema: Schema): Map<string, Schema> {
  const fields = new Map(Object.entries((schema.properties ?? {}) as Record<string, Schema>));
  // A body that is one of several has the fields of each.
  for (const part of alternativesOf(schema)) for (const [name, field] of fieldsOf(part)) fields.set(name, field);
  if (schema.items && typeof schema.items === 'object') fields.set('[]', schema.items as Schema);
  return fields;
}

const alternativesOf = (schema: Schema) => (schema.anyOf ?? schema.oneOf ?? []) as Schema[];

function typesOf(schema: Schema): string[] {
  const own = schema.type === undefined ? [] : [schema.type].flat().map(String);
  return [...new Set([...own, ...alternativesOf(schema).flatMap(typesOf)])];
}

function accepts(schema: Schema, type: string): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}

function missing(from: unknown, than: unknown): unknown[] {
  if (!Array.isArray(from)) return [];
  return Array.isArray(than) ? from.filter((value) => !than.includes(value)) : than === undefined ? [] : from;
}
