import type { IncomingHttpHeaders } from 'node:http';
import { HEADER_MISMATCH, isObject, type Json, ProtocolFault } from '@atoll-mcp/core';

interface Declared {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumber: boolean;
}

const declarations = new WeakMap<object, readonly Declared[]>();

/** Checks that arguments which a tool wants repeated in headers (`x-mcp-header`) say the same in both places. */
export function checkParamHeaders(tool: Json, args: unknown, headers: IncomingHttpHeaders): void {
  if (!isObject(tool.inputSchema)) return;
  for (const { path, header, isNumber } of declaredIn(tool.inputSchema)) {
    const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), args);
    if (value === undefined || value === null || typeof value === 'object') continue;
    const name = `Mcp-Param-${header}`;
    const given = headers[name.toLowerCase()];
    if (typeof given !== 'string') throw mismatch(name, 'the header is missing');
    const decoded = decodeHeader(given);
    if (decoded === undefined) throw mismatch(name, 'the header is not valid Base64');
    const isSame = isNumber && typeof value === 'number' ? isNumberText(decoded, value) : decoded === String(value);
    if (!isSame) throw mismatch(name, `the body says ${JSON.stringify(value)}, the header ${JSON.stringify(decoded)}`);
  }
}

function isNumberText(text: string, value: number): boolean {
  return /^-?\d+(\.\d+)?$/.test(text) && Number(text) === value;
}

/** Only plain properties can be meant: what is below a choice or a list has no single place in the arguments. */
function declaredIn(schema: Json): readonly Declared[] {
  let known = declarations.get(schema);
  if (!known) {
    known = find(schema, []);
    declarations.set(schema, known);
  }
  return known;
}

function find(schema: Json, path: readonly string[]): Declared[] {
  if (!isObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([key, property]) => {
    if (!isObject(property)) return [];
    const here = [...path, key];
    const header = property['x-mcp-header'];
    const isNumber = property.type === 'integer' || property.type === 'number';
    const own = typeof header === 'string' && header !== '' ? [{ path: here, header, isNumber }] : [];
    return [...own, ...find(property, here)];
  });
}

const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** Headers hold ASCII, so anything else comes as marked Base64; `undefined` when that is broken. */
export function decodeHeader(value: string): string | undefined {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value;
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

export function mismatch(header: string, problem: string): ProtocolFault {
  return new ProtocolFault(HEADER_MISMATCH, `${header} and the body of the request disagree: ${problem}`, {
    mismatch: { header, problem },
  });
}
