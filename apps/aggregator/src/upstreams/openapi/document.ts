import { isObject, type Json, parseJson } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';

/** An OpenAPI document and its first validation error, which is only reported: many published documents break minor rules. */
export interface OpenApiDocument {
  readonly document: Json;
  readonly problem?: string;
}

/** Reads an OpenAPI 3 document, in JSON or YAML. `where` names it in messages. Throws `ConfigError`. */
export async function readDocument(text: string, where: string): Promise<OpenApiDocument> {
  const document = await parse(text, where);
  if (typeof document.swagger === 'string') {
    throw new ConfigError([`${where} is Swagger ${document.swagger}; convert it to OpenAPI 3 first`]);
  }
  const version = String(document.openapi ?? '');
  if (!version.startsWith('3.') || !isObject(document.paths)) {
    throw new ConfigError([`${where} is not an OpenAPI 3 document: it needs "openapi": "3.…" and "paths"`]);
  }
  const external = externalReference(document);
  if (external !== undefined) {
    throw new ConfigError([`${where} refers to another file, "${external}"; bundle it into one document first`]);
  }
  const problem = await firstProblem(document);
  return { document, ...(problem !== undefined && { problem }) };
}

async function parse(text: string, where: string): Promise<Json> {
  let document: unknown;
  try {
    if (text.trimStart().startsWith('{')) {
      document = parseJson(text);
    } else {
      const { parse: parseYaml } = await import('yaml');
      document = parseYaml(text, { maxAliasCount: 1_000 });
    }
  } catch {
    throw new ConfigError([`${where} is neither JSON nor YAML`]);
  }
  if (!isObject(document)) throw new ConfigError([`${where} is not an OpenAPI document`]);
  return document;
}

async function firstProblem(document: Json): Promise<string | undefined> {
  const { Validator } = await loadValidator();
  const { valid, errors } = await new Validator().validate(document);
  if (valid) return undefined;
  if (typeof errors === 'string') return errors;
  const [first] = errors ?? [];
  return first ? `${first.instancePath || '/'} ${first.message ?? 'is not valid'}` : 'it is not valid';
}

async function loadValidator() {
  try {
    return await import('@seriousme/openapi-schema-validator');
  } catch {
    throw new ConfigError(['"openapi" needs the package @seriousme/openapi-schema-validator, which is not installed']);
  }
}

/** Without recursion: a document may be nested deeply, and YAML anchors make the same object appear many times. */
function externalReference(document: Json): string | undefined {
  const seen = new Set<unknown>();
  const open: unknown[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isObject(value) && typeof value.$ref === 'string' && !value.$ref.startsWith('#')) return value.$ref;
    open.push(...Object.values(value));
  }
  return undefined;
}

/** Follows references within the document. */
export function resolve(document: Json, value: unknown): Json | undefined {
  let found = value;
  for (let steps = 0; isObject(found) && typeof found.$ref === 'string'; steps++) {
    if (steps > 20) return undefined;
    found = target(document, found.$ref);
  }
  return isObject(found) ? found : undefined;
}

export function target(document: Json, reference: string): unknown {
  let at: unknown = document;
  for (const part of reference.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Json)[name] : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
