import { isObject, type Json } from '@atoll-mcp/core';
import { type BodyKind, bodyKindOf, type FileFields } from './body.ts';
import { resolve } from './document.ts';
import { isBinary, ToolSchemas } from './schemas.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;
const MAX_DESCRIPTION_CHARS = 2_000;

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

/** The operations of a document as tools. Two of the same name get numbers. */
export function operationsOf(document: Json): Operation[] {
  const operations: Operation[] = [];
  const names = new Set<string>();
  for (const [path, item] of Object.entries(isObject(document.paths) ? document.paths : {})) {
    const shared = resolve(document, item);
    for (const method of METHODS) {
      const found = shared?.[method];
      if (!shared || !isObject(found) || !path.startsWith('/')) continue;
      const operation = operationOf(document, { path, method, shared, operation: found });
      let name = operation.tool.name;
      for (let next = 2; names.has(name); next++) name = `${operation.tool.name}_${next}`;
      names.add(name);
      operations.push({ ...operation, tool: { ...operation.tool, name } });
    }
  }
  return operations;
}

interface Found {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly shared: Json;
  readonly operation: Json;
}

function operationOf(document: Json, { path, method, shared, operation }: Found): Operation {
  const schemas = new ToolSchemas(document);
  const properties: Json = {};
  const required: string[] = [];
  const parameters = parametersOf(document, shared.parameters, operation.parameters).flatMap((parameter) => {
    const placed = placedParameter(parameter, properties);
    if (!placed) return [];
    properties[placed.argument] = described(schemas.convert(schemaOf(parameter)), parameter.description);
    if (parameter.required === true || placed.place === 'path') required.push(placed.argument);
    return [placed];
  });
  const body = bodyOf(document, resolve(document, operation.requestBody), properties);
  if (body) {
    properties[body.argument] = described(schemas.convert(body.schema), body.description);
    if (body.isRequired) required.push(body.argument);
  }
  const { defs } = schemas;
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
      description: descriptionOf(document, operation, method, path),
      inputSchema,
      annotations: HINTS[method],
    },
    method: method.toUpperCase(),
    path,
    parameters,
    ...(body && {
      body: { argument: body.argument, kind: body.kind, mediaType: body.mediaType, files: body.files },
    }),
    security: Array.isArray(security) ? security.filter(isObject) : [],
  };
}

/** An operation's own parameters replace those of its path. */
function parametersOf(document: Json, ...lists: readonly unknown[]): Json[] {
  const found = new Map<string, Json>();
  for (const list of lists) {
    for (const parameter of Array.isArray(list) ? list : []) {
      const resolved = resolve(document, parameter);
      if (resolved) found.set(`${resolved.in} ${resolved.name}`, resolved);
    }
  }
  return [...found.values()];
}

const DEFAULT_STYLE = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

function placedParameter(parameter: Json, taken: Json): Parameter | undefined {
  const { name, in: place } = parameter;
  if (typeof name !== 'string' || typeof place !== 'string' || !Object.hasOwn(DEFAULT_STYLE, place)) return undefined;
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
function argumentName(name: string, place: string, taken: Json): string {
  const plain =
    name
      .replaceAll(/[^\w.-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 60) || place;
  let chosen = Object.hasOwn(taken, plain) ? `${place}_${plain}`.slice(0, 60) : plain;
  for (let next = 2; Object.hasOwn(taken, chosen); next++) chosen = `${plain.slice(0, 55)}_${next}`;
  return chosen;
}

function schemaOf(parameter: Json): unknown {
  if (!isObject(parameter.content)) return parameter.schema;
  const [media] = Object.values(parameter.content);
  return isObject(media) ? media.schema : undefined;
}

function bodyOf(document: Json, body: Json | undefined, taken: Json) {
  if (!body || !isObject(body.content)) return undefined;
  const offered = Object.entries(body.content).flatMap(([mediaType, media]) => {
    const kind = bodyKindOf(mediaType);
    return kind && isObject(media) ? [{ mediaType, kind, media, schema: media.schema ?? {} }] : [];
  });
  const [chosen] = offered.sort((a, b) => BODY_ORDER.indexOf(a.kind) - BODY_ORDER.indexOf(b.kind));
  if (!chosen) return undefined;
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
    Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]): [string, string][] => {
      const field = resolve(document, property) ?? {};
      const item = field.type === 'array' ? (resolve(document, field.items) ?? {}) : field;
      if (!isBinary(item)) return [];
      const own = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
      const [type = ''] = String((isObject(own) && own.contentType) || item.contentMediaType || '').split(',');
      return [[name, type.includes('/') && !type.includes('*') ? type.trim() : 'application/octet-stream']];
    }),
  );
}

const BODY_ORDER: readonly BodyKind[] = ['json', 'form', 'multipart', 'text', 'bytes'];

function described(schema: Json, description: unknown): Json {
  return typeof description === 'string' && description !== '' ? { ...schema, description } : schema;
}

function nameOf(operationId: unknown, method: string, path: string): string {
  const wanted = typeof operationId === 'string' && operationId !== '' ? operationId : `${method}${path}`;
  return wanted.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^_+|_+$/g, '') || method;
}

function descriptionOf(document: Json, operation: Json, method: string, path: string): string {
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
  return `${text.slice(0, MAX_DESCRIPTION_CHARS)}\n(${method.toUpperCase()} ${path})`.trimStart();
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
