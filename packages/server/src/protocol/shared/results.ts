import { isObject, type Json } from '@atoll-mcp/core';

/** Results that may say how long they can be cached. */
export const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
]);

/** For results that stay the same while the program runs, for everyone. */
export const UNCHANGING: Json = { ttlMs: 300_000, cacheScope: 'public' };

/** Adds the body as text where it is not an object, for clients that read only text. */
export function withTextFallback(result: Json): Json {
  const { structuredContent, content } = result;
  if (structuredContent === undefined || isObject(structuredContent)) return result;
  const blocks = Array.isArray(content) ? content : [];
  if (blocks.some((block) => block?.type === 'text')) return result;
  return { ...result, content: [...blocks, { type: 'text', text: JSON.stringify(structuredContent) }] };
}
