import {
  INVALID_PARAMS,
  isObject,
  type Json,
  type McpApp,
  MISSING_CAPABILITY,
  ProtocolFault,
  RawResult,
  RESOURCE_NOT_FOUND,
  type RequestContext,
} from '@atoll-mcp/core';
import type { Codec, Result } from '../shared/codec.ts';
import { assertCapable, isInputRequired } from '../shared/input-required.ts';
import { CACHEABLE, withTextFallback } from '../shared/results.ts';
import { META } from '../shared/revisions.ts';

/** 2026-07-28: a question to the client is a result, and the client sends the request again with the answers. */
export const codec2026: Codec = {
  era: 'modern',
  async handle(app, method, params, request) {
    const isLaterRound = params.inputResponses !== undefined || params.requestState !== undefined;
    const result = await (isLaterRound
      ? handleLaterRound(app, method, params, request)
      : app.handle(method, params, request));
    if (isInputRequired(result)) assertCapable(result, request.capabilities, MISSING_CAPABILITY);
    return result;
  },
  encodeResult(app, { method }, result) {
    if (result instanceof RawResult) return result;
    const wire: Json = {
      ...(method === 'tools/call' ? withTextFallback(result) : result),
      resultType: result.resultType ?? 'complete',
    };
    if (wire.resultType === 'complete' && CACHEABLE.has(method)) {
      const { ttlMs, cacheScope } = result;
      wire.ttlMs = Number.isInteger(ttlMs) && Number(ttlMs) >= 0 ? ttlMs : 0;
      wire.cacheScope = cacheScope === 'public' ? 'public' : 'private';
    }
    const meta = isObject(result._meta) ? result._meta : {};
    wire._meta = META.serverInfo in meta ? meta : { ...meta, [META.serverInfo]: app.info };
    return wire;
  },
  encodeText({ info }, { method }, result) {
    if (method !== 'tools/call' || !isOnlyExtended(result)) return undefined;
    const body = JSON.stringify(result);
    const added = `"resultType":"complete","_meta":${JSON.stringify({ [META.serverInfo]: info })}}`;
    return body === '{}' ? `{${added}` : `${body.slice(0, -1)},${added}`;
  },
  encodeFault: (fault) =>
    fault.code === RESOURCE_NOT_FOUND ? new ProtocolFault(INVALID_PARAMS, fault.message, fault.data) : fault,
};

/** A success of a tool that gets the fields of this revision and is not changed otherwise. */
function isOnlyExtended({ resultType, _meta, structuredContent, isError }: Json): boolean {
  const isShown = structuredContent === undefined || isObject(structuredContent);
  return resultType === undefined && _meta === undefined && isError !== true && isShown;
}

/** A request that brings the client's answers to an earlier result that asked for input. */
function handleLaterRound(app: McpApp, method: string, params: Json, request: RequestContext): Promise<Result> {
  const { inputResponses, requestState, ...rest } = params;
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw new ProtocolFault(INVALID_PARAMS, 'requestState must be the string of the earlier result');
  }
  return app.handle(method, rest, {
    ...request,
    signal: request.signal,
    ...(isObject(inputResponses) && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  });
}
