import type { Era, Json, McpApp } from '@atoll-mcp/core';
import { isObject, RawResult } from '@atoll-mcp/core';
import { wrapOutputSchema } from './legacy-schema.ts';
import { META } from './revisions.ts';

const CACHEABLE = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
]);

/** A result in the words of the era it goes to. Apps answer in one form; only this place knows the differences. */
export function wireResult(app: McpApp, era: Era, method: string, result: Json | RawResult): Json | RawResult {
  if (result instanceof RawResult) return result;
  return era === 'modern' ? modernResult(app, method, result) : legacyResult(method, result);
}

function modernResult(app: McpApp, method: string, result: Json): Json {
  const wire: Json = { ...result, resultType: result.resultType ?? 'complete' };
  if (wire.resultType === 'complete' && CACHEABLE.has(method)) {
    const { ttlMs, cacheScope } = result;
    wire.ttlMs = Number.isInteger(ttlMs) && Number(ttlMs) >= 0 ? ttlMs : 0;
    wire.cacheScope = cacheScope === 'public' ? 'public' : 'private';
  }
  if (method === 'tools/call') withTextFallback(wire);
  const meta = isObject(result._meta) ? result._meta : {};
  wire._meta = META.serverInfo in meta ? meta : { ...meta, [META.serverInfo]: app.info };
  return wire;
}

function legacyResult(method: string, result: Json): Json {
  const wire = 'resultType' in result || CACHEABLE.has(method) ? withoutModernFields(result) : result;
  if (method === 'tools/list' && Array.isArray(result.tools)) return { ...wire, tools: legacyTools(result.tools) };
  if (method !== 'tools/call' || wire.structuredContent === undefined || isObject(wire.structuredContent)) return wire;
  const wrapped = withTextFallback({ ...wire });
  return { ...wrapped, structuredContent: { result: wire.structuredContent } };
}

function withoutModernFields({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest }: Json): Json {
  return rest;
}

/** A client that reads only text still gets an answer that is no object. */
function withTextFallback(result: Json): Json {
  const { structuredContent, content } = result;
  if (structuredContent === undefined || isObject(structuredContent)) return result;
  const blocks = Array.isArray(content) ? content : [];
  if (!blocks.some((block) => block?.type === 'text')) {
    result.content = [...blocks, { type: 'text', text: JSON.stringify(structuredContent) }];
  }
  return result;
}

const wrappedSchemas = new WeakMap<Json, Json>();

function legacyTools(tools: readonly unknown[]): readonly unknown[] {
  const needsWrap = (tool: unknown): tool is Json & { outputSchema: Json } =>
    isObject(tool) && isObject(tool.outputSchema) && tool.outputSchema.type !== 'object';
  if (!tools.some(needsWrap)) return tools;
  return tools.map((tool) => (needsWrap(tool) ? { ...tool, outputSchema: wrapped(tool.outputSchema) } : tool));
}

function wrapped(schema: Json): Json {
  const known = wrappedSchemas.get(schema) ?? wrapOutputSchema(schema);
  wrappedSchemas.set(schema, known);
  return known;
}
