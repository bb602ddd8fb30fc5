import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isObject,
  type Json,
  ProtocolFault,
  RawResult,
  type RequestContext,
} from '@atoll-mcp/core';
import type { Codec } from '../shared/codec.ts';
import { assertCapable, type InputRequiredResult, isInputRequired } from '../shared/input-required.ts';
import { CACHEABLE, withTextFallback } from '../shared/results.ts';
import { wrapOutputSchema } from './output-schema.ts';

const MAX_ROUNDS = 8;

/** 2025-11-25 and before: clients are asked while they wait, and structured content is always an object. */
export const codec2025: Codec = {
  era: 'legacy',
  async handle(app, method, params, request) {
    let result = await app.handle(method, params, request);
    for (let round = 0; isInputRequired(result); round++) {
      if (round === MAX_ROUNDS) {
        throw new ProtocolFault(INTERNAL_ERROR, `${method} requested input more than ${MAX_ROUNDS} times`);
      }
      const inputResponses = await askAll(result, request);
      const { requestState } = result;
      const state = typeof requestState === 'string' ? { requestState } : {};
      result = await app.handle(method, params, { ...request, signal: request.signal, inputResponses, ...state });
    }
    return result;
  },
  encodeResult(_app, { method, tool }, result) {
    if (result instanceof RawResult) return result;
    const wire = 'resultType' in result || CACHEABLE.has(method) ? withoutLaterFields(result) : result;
    if (method === 'tools/list' && Array.isArray(result.tools)) return { ...wire, tools: listedTools(result.tools) };
    if (method !== 'tools/call' || !isWrapped(tool, wire.structuredContent)) return wire;
    return { ...withTextFallback(wire), structuredContent: { result: wire.structuredContent } };
  },
  encodeFault: (fault) => fault,
};

async function askAll(question: InputRequiredResult, { capabilities, ask }: RequestContext): Promise<Json> {
  assertCapable(question, capabilities, INVALID_REQUEST);
  if (!ask) throw new ProtocolFault(INTERNAL_ERROR, 'This client does not accept requests');
  const entries = Object.entries(question.inputRequests ?? {});
  return Object.fromEntries(
    await Promise.all(entries.map(async ([key, { method, params }]) => [key, await ask(method, params ?? {})])),
  );
}

function withoutLaterFields({ resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest }: Json): Json {
  return rest;
}

/** A body is wrapped where its schema was listed as wrapped. */
function isWrapped(tool: Json | undefined, body: unknown): boolean {
  if (body === undefined) return false;
  if (!isObject(body)) return true;
  return isObject(tool?.outputSchema) && tool.outputSchema.type !== 'object';
}

const wrappedSchemas = new WeakMap<Json, Json>();

function listedTools(tools: readonly unknown[]): readonly unknown[] {
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
