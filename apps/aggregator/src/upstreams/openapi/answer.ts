import { STATUS_CODES } from 'node:http';
import { type Json, tryParseJson } from '@atoll-mcp/core';
import type { HttpAnswer } from './exchange.ts';

const MAX_ERROR_CHARS = 4_000;

/** The result of a tool call from what an API answered. */
export function resultOf(answer: HttpAnswer, advice: { readonly login: string }): Json {
  const { status, headers, body } = answer;
  if (status >= 300) return failure(answer, advice);
  const type = (String(headers['content-type'] ?? '').split(';')[0] ?? '').trim().toLowerCase();
  if (body.length === 0) return content({ type: 'text', text: statusLine(status) });
  if (/^(application|text)\/json$|\+json$/.test(type)) {
    const text = body.toString('utf8');
    const value = tryParseJson(text);
    return { ...content({ type: 'text', text }), ...(value !== undefined && { structuredContent: value }) };
  }
  if (/^image\/(png|jpeg|gif|webp)$/.test(type)) {
    return content({ type: 'image', data: body.toString('base64'), mimeType: type });
  }
  if (type === '' || /^text\/|xml$|yaml$|javascript$|x-www-form-urlencoded$/.test(type)) {
    return content({ type: 'text', text: body.toString('utf8') });
  }
  const resource = { uri: `data:${type}`, mimeType: type, blob: body.toString('base64') };
  return content({ type: 'resource', resource });
}

/** The API's error body tells the model what to change. */
function failure({ status, headers, body }: HttpAnswer, { login }: { readonly login: string }): Json {
  const lines = [statusLine(status)];
  if (status < 400)
    lines.push(`It redirects to ${originOf(headers.location)}; that was not followed ("followRedirects").`);
  if (status === 401 || status === 403) lines.push(login);
  if (headers['retry-after'] !== undefined) lines.push(`Retry-After: ${headers['retry-after'].slice(0, 40)}`);
  const text = body.toString('utf8', 0, MAX_ERROR_CHARS).trim();
  if (text !== '' && status >= 400) lines.push(text);
  return { ...content({ type: 'text', text: lines.join('\n') }), isError: true };
}

const content = (block: Json): Json => ({ content: [block] });

function statusLine(status: number): string {
  const reason = STATUS_CODES[status];
  return reason === undefined ? `HTTP ${status}` : `HTTP ${status} ${reason}`;
}

/** The rest of an address may hold secrets. */
function originOf(location: string | undefined): string {
  if (location === undefined) return 'an unknown address';
  return URL.canParse(location) ? new URL(location).origin : 'another path of it';
}
