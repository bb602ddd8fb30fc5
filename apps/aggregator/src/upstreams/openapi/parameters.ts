import { isObject, type Json } from '@atoll-mcp/core';
import type { Parameter } from './operations.ts';
import { hasDotSegment } from './sendable.ts';

/** Path, query, headers and cookies of a request. */
interface RequestParts {
  readonly path: string;
  readonly query: string;
  readonly headers: Record<string, string>;
}

/** An argument that cannot be sent. */
export class UnusableArgument extends Error {}

/** Puts arguments where the document says, in the styles of OpenAPI 3. */
export function placeArguments(path: string, parameters: readonly Parameter[], args: Json): RequestParts {
  const query: string[] = [];
  const headers = new Map<string, string>();
  const cookies: string[] = [];
  let filled = path;
  for (const parameter of parameters) {
    const value = Object.hasOwn(args, parameter.argument) ? args[parameter.argument] : undefined;
    if (value === undefined || value === null) continue;
    const { name, place } = parameter;
    if (place === 'path') filled = filled.replaceAll(`{${name}}`, () => pathSegment(parameter, value));
    else if (place === 'query') query.push(...queryPairs(parameter, value));
    else if (place === 'header') headers.set(name.toLowerCase(), headerValue(parameter, value));
    else cookies.push(`${encode(name)}=${listed(parameter, value, ',', encode)}`);
  }
  if (/\{[^}]*\}/.test(filled)) throw new UnusableArgument(`the address ${filled} still needs a value`);
  if (hasDotSegment(filled)) throw new UnusableArgument('its arguments lead to another address: a part of it is ".."');
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
  return { path: filled, query: query.join('&'), headers: Object.fromEntries(headers) };
}

/** A segment of dots would lead to another address. */
function pathSegment(parameter: Parameter, value: unknown): string {
  const prefix = parameter.style === 'label' ? '.' : parameter.style === 'matrix' ? `;${parameter.name}=` : '';
  const text = prefix + listed(parameter, value, ',', encode);
  if (text === '' || /^(\.|%2e)+$/i.test(text)) {
    throw new UnusableArgument(`${parameter.argument} must not be empty or consist of dots`);
  }
  return text;
}

function queryPairs(parameter: Parameter, value: unknown): string[] {
  const { name, style, explode, isJson } = parameter;
  const key = encode(name);
  if (!isJson && style === 'deepObject' && isObject(value)) return deepPairs(name, value);
  if (!isJson && explode && Array.isArray(value)) return value.map((item) => `${key}=${encode(textOf(item))}`);
  if (!isJson && explode && isObject(value)) {
    return Object.entries(value).map(([field, item]) => `${encode(field)}=${encode(textOf(item))}`);
  }
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  return [`${key}=${listed({ ...parameter, explode: false }, value, separator, encode)}`];
}

function deepPairs(name: string, value: Json): string[] {
  return Object.entries(value).flatMap(([field, item]) =>
    isObject(item) ? deepPairs(`${name}[${field}]`, item) : [`${encode(`${name}[${field}]`)}=${encode(textOf(item))}`],
  );
}

function headerValue(parameter: Parameter, value: unknown): string {
  const text = listed(parameter, value, ',', (part) => part);
  // Node would refuse it with a message that does not name the argument.
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
    throw new UnusableArgument(`${parameter.argument} has characters that a header cannot hold`);
  }
  return text;
}

/** Lists and objects as one text. */
function listed(
  { explode, isJson }: Parameter,
  value: unknown,
  separator: string,
  encodePart: (text: string) => string,
): string {
  if (isJson) return encodePart(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => encodePart(textOf(item))).join(separator);
  if (!isObject(value)) return encodePart(textOf(value));
  const between = explode ? '=' : separator;
  return Object.entries(value)
    .map(([name, item]) => `${encodePart(name)}${between}${encodePart(textOf(item))}`)
    .join(separator);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const encode = (text: string) => encodeURIComponent(text);
