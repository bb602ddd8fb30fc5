import { isObject, type Json } from '@atoll-mcp/core';
import { type BodyKind, bodyKindOf, type FileFields } from './body.ts';
import { resolve } from './document.ts';
import { FreeNames } from './free-names.ts';
import { isBinary, SchemasTooLarge, ToolSchemas } from './schemas.ts';
import { isPlainPath, isSendableHeader } from './sendable.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_NAME_CHARS = 200;
const MAX_REQUIREMENTS = 50;
/** As many tools as are listed of any server. */
const MAX_OPERATIONS = 20_000;
const MAX_FIELDS = 1_000;
const MAX_ARGUMENTS = 500_000;
/** Sizes of schemas, in keywords and values. */
const MAX_OF_TOOL = 20_000;
const MAX_OF_API = 2_000_000;

export interface Parameter {
  /** As the tool's argument is called. */
  readonly argument: string;
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly explode: boolean;
  /** Sent as JSON. */
  readonly isJson: boolean;
}

export interface Operation {
  readonly tool: Json & { readonly name: string; readonly inputSchema: Json };
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: {
    readonly argument: string;
    readonly kind: BodyKind;
    readonly mediaType: string;
    readonly files: FileFields;
  };
  /** Security requirements, any of which is enough. */
  readonly security: readonly Json[];
}

interface Operations {
  readonly operations: readonly Operation[];
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

/** The operations of a document as tools. Two of the same name get numbers. */
export function operationsOf(document: Json): Operations {
  const operations: Operation[] = [];
  const unusable = { paths: 0, operations: 0, schemas: 0 };
  const names = new FreeNames();
  let left = MAX_OF_API;
  let argumentsLeft = MAX_ARGUMENTS;
  for (const [path, item] of Object.entries(isObject(document.paths) ? document.paths : {})) {
    const shared = resolve(document, item);
    const isUsable = isPlainPath(path);
    if (shared && !isUsable && !path.startsWith('x-')) unusable.paths++;
    if (!shared || !isUsable) continue;
    for (const method of METHODS) {
      const found = shared[method];
      if (!isObject(found)) continue;
      if (operations.length >= MAX_OPERATIONS || argumentsLeft <= 0) {
        unusable.operations++;
        continue;
      }
      const { operation, size, isCut } = operationOf(document, { path, method, shared, operation: found }, left);
      left -= size;
      argumentsLeft -= 1 + operation.parameters.length;
      if (isCut) unusable.schemas++;
      operations.push({ ...operation, tool: { ...operation.tool, name: names.next(operation.tool.name) } });
    }
  }
  const notes = [
    unusable.paths > 0 &&
      `${unusable.paths} paths are not used: they must begin with "/" and have no "." or ".." in them`,
    unusable.operations > 0 && `${unusable.operations} operations beyond ${operations.length} are not listed`,
    unusable.schemas > 0 &&
      `${unusable.schemas} operations are listed without the schemas of their arguments, which are too large`,
  ];
  return { operations, notes: notes.filter((note) => note !== false) };
}

interface Found {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly shared: Json;
  readonly operation: Json;
}

/** `size` is that of its schemas, as far as they were read; `isCut` if they were too large. */
function operationOf(document: Json, found: Found, left: number) {
  const schemas = new ToolSchemas(document, Math.min(left, MAX_OF_TOOL));
  try {
    const operation = describeOperation(document, found, schemas);
    return { operation, size: schemas.size, isCut: false };
  } catch (error) {
    if (!(error instanceof SchemasTooLarge)) throw error;
    return { operation: describeOperation(document, found, undefined), size: schemas.size, isCut: true };
  }
}

/** Without `schemas`, arguments are listed by name only. */
function describeOperation(document: Json, found: Found, schemas: ToolSchemas | undefined): Operation {
  const { path, method, shared, operation } = found;
  const properties: Json = {};
  const required: string[] = [];
  const schemaFor = (schema: unknown, about: unknown) =>
    schemas
      ? described(schemas.convert(schema), about)
      : described({}, typeof about === 'string' ? about.slice(0, 100) : '');
  const names = new FreeNames();
  const parameters = parametersOf(document, shared.parameters, operation.parameters).flatMap((parameter) => {
    const placed = placedParameter(parameter, names);
    if (!placed) return [];
    properties[placed.argument] = schemaFor(schemaOf(parameter), parameter.description);
    if (parameter.required === true || placed.place === 'path') required.push(placed.argument);
    return [placed];
  });
  const body = bodyOf(document, resolve(document, operation.requestBody), names);
  if (body) {
    properties[body.argument] = schemaFor(body.schema, body.description);
    if (body.isRequired) required.push(body.argument);
  }
  const defs = schemas?.defs();
  const inputSchema: Json = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(defs && { $defs: defs }),
  };
  const security = (operation.security ?? document.security) as unknown;
  return {
    tool: {
      name: nameOf(operation.operationId, method, path),
      ...(typeof operation.summary === 'string' && { title: operation.summary.slice(0, 100) }),
      description: descriptionOf(document, found, schemas !== undefined),
      inputSchema,
      annotations: HINTS[method],
    },
    method: method.toUpperCase(),
    path,
    parameters,
    ...(body && {
      body: { argument: body.argument, kind: body.kind, mediaType: body.mediaType, files: body.files },
    }),
    security: Array.isArray(security) ? security.slice(0, MAX_REQUIREMENTS).filter(isObject) : [],
  };
}

/** An operation's own parameters replace those of its path. */
function parametersOf(document: Json, ...lists: readonly unknown[]): Json[] {
  const found = new Map<string, Json>();
  for (const list of lists) {
    for (const parameter of Array.isArray(list) ? list.slice(0, MAX_FIELDS) : []) {
      const resolved = resolve(document, parameter);
      if (resolved) found.set(`${resolved.in} ${resolved.name}`, resolved);
    }
  }
  return [...found.values()];
}

const DEFAULT_STYLE = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

function placedParameter(parameter: Json, taken: FreeNames): Parameter | undefined {
  const { name, in: place } = parameter;
  if (typeof name !== 'string' || typeof place !== 'string' || !Object.hasOwn(DEFAULT_STYLE, place)) return undefined;
  if (name.length > MAX_NAME_CHARS || (place === 'header' && !isSendableHeader(name))) return undefined;
  // By the specification these headers are defined elsewhere.
  if (place === 'header' && /^(accept|content-type|authorization)$/i.test(name)) return undefined;
  const known = place as Parameter['place'];
  const style = typeof parameter.style === 'string' ? parameter.style : DEFAULT_STYLE[known];
  return {
    argument: argumentName(name, place, taken),
    name,
    place: known,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    isJson: isObject(parameter.content),
  };
}

/** Model providers accept letters, digits and a few punctuation characters only; `filter[name]` becomes `filter_name`. */
function argumentName(name: string, place: string, taken: FreeNames): string {
  const plain = plainName(name).slice(0, 60) || place;
  return taken.next(taken.has(plain) ? `${place}_${plain}`.slice(0, 60) : plain);
}

/** Cut first: underscores are looked for at both ends, which takes time quadratic in their number. */
const plainName = (name: string) =>
  name
    .slice(0, MAX_NAME_CHARS)
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

function schemaOf(parameter: Json): unknown {
  if (!isObject(parameter.content)) return parameter.schema;
  const [media] = Object.values(parameter.content);
  return isObject(media) ? media.schema : undefined;
}

function bodyOf(document: Json, body: Json | undefined, taken: FreeNames) {
  const offered = ownEntries(body?.content).flatMap(([mediaType, media]) => {
    const kind = bodyKindOf(mediaType);
    return kind && isObject(media) ? [{ mediaType, kind, media, schema: media.schema ?? {} }] : [];
  });
  const [chosen] = offered.sort((a, b) => BODY_ORDER.indexOf(a.kind) - BODY_ORDER.indexOf(b.kind));
  if (!body || !chosen) return undefined;
  const { kind, mediaType, media } = chosen;
  return {
    kind,
    mediaType,
    files: kind === 'multipart' ? fileFields(document, media) : new Map(),
    argument: argumentName('body', 'request', taken),
    schema: kind === 'bytes' ? { type: 'string', format: 'binary' } : chosen.schema,
    description: body.description,
    isRequired: body.required === true,
  };
}

/** The fields of a form that are files, each with its content type. */
function fileFields(document: Json, { schema, encoding }: Json): FileFields {
  const properties = resolve(document, schema)?.properties;
  const encodings = isObject(encoding) ? encoding : {};
  return new Map(
    ownEntries(properties).flatMap(([name, property]): [string, string][] => {
      const field = resolve(document, property) ?? {};
      const item = field.type === 'array' ? (resolve(document, field.items) ?? {}) : field;
      if (!isBinary(item)) return [];
      const own = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
      const [type = ''] = String((isObject(own) && own.contentType) || item.contentMediaType || '').split(',');
      return [[name, type.includes('/') && !type.includes('*') ? type.trim() : 'application/octet-stream']];
    }),
  );
}

const ownEntries = (value: unknown) => Object.entries(isObject(value) ? value : {}).slice(0, MAX_FIELDS);

const BODY_ORDER: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'bytes'];

function described(schema: Json, description: unknown): Json {
  if (typeof description !== 'string' || description === '') return schema;
  return { ...schema, description: description.slice(0, MAX_DESCRIPTION_CHARS) };
}

function nameOf(operationId: unknown, method: string, path: string): string {
  const wanted = typeof operationId === 'string' && operationId !== '' ? operationId : `${method}${path}`;
  return plainName(wanted) || method;
}

function descriptionOf(document: Json, { operation, method, path }: Found, hasSchemas: boolean): string {
  const { summary, description, deprecated, responses } = operation;
  const success = Object.entries(isObject(responses) ? responses : {}).find(([status]) => status.startsWith('2'));
  const answer = resolve(document, success?.[1])?.description;
  const parts = [
    deprecated === true ? 'Deprecated.' : undefined,
    summary,
    description === summary ? undefined : description,
    typeof answer === 'string' && answer.trim() !== '' && `Returns: ${answer.trim()}`,
  ];
  const text = parts.filter((part) => typeof part === 'string' && part.trim() !== '').join('\n');
  const note = hasSchemas ? '' : '\nThe schemas of its arguments are too large to be listed.';
  return `${text.slice(0, MAX_DESCRIPTION_CHARS)}${note}\n(${method.toUpperCase()} ${path})`.trimStart();
}

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const replacing = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };
const acting = { ...replacing, idempotentHint: false };

/** Annotations by HTTP method semantics. */
const HINTS = {
  get: reading,
  head: reading,
  options: reading,
  put: replacing,
  delete: replacing,
  post: acting,
  patch: acting,
} as const;
