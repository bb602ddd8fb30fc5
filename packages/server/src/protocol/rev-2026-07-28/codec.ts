import {
  INVALID_PARAMS,
  isObject,
  type Json,
  MISSING_CAPABILITY,
  ProtocolFault,
  RawResult,
  RESOURCE_NOT_FOUND,
} from '@atoll-mcp/core';
import type { Codec } from '../shared/codec.ts';
import { assertCapable, isInputRequired } from '../shared/input-required.ts';
import { CACHEABLE, withTextFallback } from '../shared/results.ts';
import { META } from '../shared/revisions.ts';

/** 2026-07-28: a question to the client is a result, and the client sends the request again with the answers. */
export const codec2026: Codec = {
  era: 'modern',
  isLaterRound: ({ inputResponses, requestState }) => inputResponses !== undefined || requestState !== undefined,
  async handle(app, method, params, request) {
    if (!this.isLaterRound(params)) {
      return this.finish(app, method, params, request, await app.handle(method, params, request));
    }
    const { inputResponses, requestState, ...rest } = params;
    if (requestState !== undefined && typeof requestState !== 'string') {
      throw new ProtocolFault(INVALID_PARAMS, 'requestState must be the string that came with the question');
    }
    const answered = {
      ...request,
      signal: request.signal,
      ...(isObject(inputResponses) && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
    return this.finish(app, method, rest, answered, await app.handle(method, rest, answered));
  },
  async finish(_app, _method, _params, { capabilities }, result) {
    if (isInputRequired(result)) assertCapable(result, capabilities, MISSING_CAPABILITY);
    return result;
  },
  encodeResult(app, { method }, _path, result) {
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
  encodeFault: (fault) =>
    fault.code === RESOURCE_NOT_FOUND ? new ProtocolFault(INVALID_PARAMS, fault.message, fault.data) : fault,
};
