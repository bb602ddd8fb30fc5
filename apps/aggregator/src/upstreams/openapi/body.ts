import { isObject } from '@atoll-mcp/core';

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

export interface Body {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Fields of a form that are files, each with its content type. */
export type FileFields = ReadonlyMap<string, string>;

/** How a body of this media type is made from an argument; undefined if it can't be. */
export function bodyKindOf(mediaType: string): BodyKind | undefined {
  const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json') || type === '*/*' || type === 'application/*')
    return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  if (type.startsWith('text/') || type.endsWith('/xml') || type.endsWith('+xml')) return 'text';
  return /^(application\/(octet-stream|pdf|zip|gzip)|image\/|audio\/|video\/)/.test(type) ? 'bytes' : undefined;
}

export async function encodeBody(
  kind: BodyKind,
  mediaType: string,
  value: unknown,
  files: FileFields = new Map(),
): Promise<Body> {
  switch (kind) {
    case 'json':
      return {
        contentType: mediaType.includes('*') ? 'application/json' : mediaType,
        bytes: Buffer.from(JSON.stringify(value)),
      };
    case 'form':
      return encoded(new URLSearchParams(fieldsOf(value)));
    case 'multipart':
      return encoded(formData(value, files));
    case 'text':
      return { contentType: mediaType.includes('*') ? 'text/plain' : mediaType, bytes: Buffer.from(asText(value)) };
    case 'bytes':
      return {
        contentType: mediaType.includes('*') ? 'application/octet-stream' : mediaType,
        bytes: Buffer.from(asText(value), 'base64'),
      };
  }
}

/** The platform's own encoding, with its boundary. */
async function encoded(body: URLSearchParams | FormData): Promise<Body> {
  const response = new Response(body);
  return {
    contentType: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

function formData(value: unknown, files: FileFields): FormData {
  const form = new FormData();
  for (const [name, field] of fieldsOf(value)) {
    const type = files.get(name);
    if (type === undefined) form.append(name, field);
    else form.append(name, new Blob([Buffer.from(field, 'base64')], { type }), name);
  }
  return form;
}

/** Lists are repeated fields; objects within are JSON. */
function fieldsOf(value: unknown): [string, string][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    (Array.isArray(field) ? field : [field]).map((item): [string, string] => [name, asText(item)]),
  );
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
