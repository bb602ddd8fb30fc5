import { isObject, type Json, parseJson, UnsafeJsonError } from '@atoll-mcp/core';

/** Why a document cannot be used, in words for whoever configured it. */
export class UnusableDocument extends Error {}

/** Parses an OpenAPI 3 document, in JSON or YAML. `where` names it in messages. Throws `UnusableDocument`. */
export async function parseDocument(text: string, where: string): Promise<Json> {
  const document = await parse(text, where);
  if (typeof document.swagger === 'string') {
    throw new UnusableDocument(`${where} is Swagger ${document.swagger.slice(0, 20)}; convert it to OpenAPI 3 first`);
  }
  const version = typeof document.openapi === 'string' || typeof document.openapi === 'number' ? document.openapi : '';
  if (!String(version).startsWith('3.') || !isObject(document.paths)) {
    throw new UnusableDocument(`${where} is not an OpenAPI 3 document: it needs "openapi": "3.…" and "paths"`);
  }
  const external = externalReference(document);
  if (external !== undefined) {
    throw new UnusableDocument(
      `${where} refers to another file, "${cut(external)}"; bundle it into one document first`,
    );
  }
  return document;
}

async function parse(text: string, where: string): Promise<Json> {
  let document: unknown;
  try {
    if (text.trimStart().startsWith('{')) {
      document = parseJson(text);
    } else {
      const { parse: parseYaml } = await import('yaml');
      // Looking for keys that are there twice takes time quadratic in the number of keys.
      document = parseYaml(text, { maxAliasCount: 1_000, uniqueKeys: false, prettyErrors: false });
    }
  } catch (error) {
    if (error instanceof UnsafeJsonError) throw new UnusableDocument(`${where} is ${error.message}`);
    if (error instanceof RangeError) throw new UnusableDocument(`${where} is nested too deep`);
    throw new UnusableDocument(`${where} is neither JSON nor YAML`);
  }
  if (!isObject(document)) throw new UnusableDocument(`${where} is not an OpenAPI document`);
  return document;
}

/** The first rule of OpenAPI that a document breaks. It is only reported: many published documents break minor rules. */
export async function firstProblem(document: Json): Promise<string | undefined> {
  const validator = await import('@seriousme/openapi-schema-validator').catch(() => undefined);
  if (!validator) return 'not checked: the package @seriousme/openapi-schema-validator is not installed';
  const { valid, errors } = await new validator.Validator().validate(document);
  if (valid) return undefined;
  if (typeof errors === 'string') return cut(errors);
  const [first] = errors ?? [];
  return first ? cut(`${first.instancePath || '/'} ${first.message ?? 'is not valid'}`) : 'it is not valid';
}

const cut = (text: string) => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** Without recursion: a document may be nested deeply, and YAML anchors make the same object appear many times. */
function externalReference(document: Json): string | undefined {
  const seen = new Set<unknown>();
  const open: unknown[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isObject(value) && typeof value.$ref === 'string' && !value.$ref.startsWith('#')) return value.$ref;
    for (const item of Object.values(value)) open.push(item);
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
