import { isObject, parseJson } from '@atoll-mcp/core';
import type { HttpResponse } from './http-socket.ts';

export function asksForLogin(response: HttpResponse): boolean {
  return response.status === 401 && /^bearer\b/i.test(response.header('www-authenticate') ?? '');
}

/** Some servers answer a rejected POST with `id: null`; it belongs to the request of that POST. */
export function withRequestId(body: string, id: number): string {
  try {
    const parsed: unknown = parseJson(body);
    if (isObject(parsed) && parsed.error !== undefined && (parsed.id === null || parsed.id === undefined)) {
      return JSON.stringify({ ...parsed, id });
    }
  } catch {
    return body;
  }
  return body;
}
