import { isObject, type Json } from '@atoll-mcp/core';
import { MODERN_VERSIONS } from '../shared/revisions.ts';

/** The headers that repeat the revision, method, name and marked parameters of a request. */
export function requestHeaders(
  call: { readonly method: string; readonly params: Json },
  schemaOf: (tool: string) => unknown,
): Record<string, string> {
  const headers: Record<string, string> = { 'mcp-protocol-version': MODERN_VERSIONS[0], 'mcp-method': call.method };
  const { name, uri } = call.params;
  if (call.method === 'resources/read' && typeof uri === 'string') headers['mcp-name'] = encode(uri);
  if ((call.method === 'tools/call' || call.method === 'prompts/get') && typeof name === 'string') {
    headers['mcp-name'] = encode(name);
  }
  if (call.method === 'tools/call' && typeof name === 'string') {
    collect(schemaOf(name), call.params.arguments, headers);
  }
  return headers;
}

function collect(schema: unknown, value: unknown, headers: Record<string, string>): void {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(value)) return;
  for (const [key, property] of Object.entries(schema.properties)) {
    if (!isObject(property)) continue;
    const header = property['x-mcp-header'];
    const given = value[key];
    if (typeof header === 'string' && isPrimitive(given)) headers[`mcp-param-${header}`] = encode(String(given));
    else collect(property, given, headers);
  }
}

const isPrimitive = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Whether a tool's header marks are valid; the protocol requires tools with invalid ones to be dropped. */
export function hasValidHeaderMarks(tool: Json): boolean {
  const seen = new Set<string>();
  return check(tool.inputSchema, true, seen);
}

function check(schema: unknown, reachable: boolean, seen: Set<string>): boolean {
  if (Array.isArray(schema)) return schema.every((item) => check(item, false, seen));
  if (!isObject(schema)) return true;
  const mark = schema['x-mcp-header'];
  if (mark !== undefined) {
    if (!reachable || typeof mark !== 'string' || !TOKEN.test(mark)) return false;
    if (seen.has(mark.toLowerCase())) return false;
    if (typeof schema.type !== 'string' || !['string', 'integer', 'boolean'].includes(schema.type)) return false;
    seen.add(mark.toLowerCase());
  }
  return Object.entries(schema).every(([key, value]) => {
    if (key !== 'properties' || !isObject(value)) return check(value, false, seen);
    return Object.values(value).every((property) => check(property, reachable, seen));
  });
}

/** Plain if a header can carry it, else base64 as the protocol defines. */
function encode(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) || value === '';
  if (isPlain && !(value.startsWith('=?base64?') && value.endsWith('?='))) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
