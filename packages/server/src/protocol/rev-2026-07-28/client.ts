import type { Json, RequestContext } from '@atoll-mcp/core';
import { type ClientCodec, clientMeta } from '../shared/client-codec.ts';
import { isInputRequired } from '../shared/input-required.ts';
import { ENVELOPE, META, MODERN_VERSIONS } from '../shared/revisions.ts';

/** Each request carries client info and capabilities, and the answers to an earlier result that asked for input. */
export const client2026: ClientCodec = {
  era: 'modern',
  probe: 'server/discover',
  requestParams({ params, context, logLevel: ofSession }, clientInfo) {
    const logLevel = context ? (context.meta[META.logLevel] ?? ofSession) : undefined;
    return {
      ...params,
      ...(context?.inputResponses && { inputResponses: context.inputResponses }),
      ...(context?.requestState !== undefined && { requestState: context.requestState }),
      _meta: {
        ...(context && clientMeta(context.meta, ENVELOPE)),
        ...envelopeOf(clientInfoOf(context) ?? clientInfo, context?.capabilities),
        ...(logLevel !== undefined && { [META.logLevel]: logLevel }),
      },
    };
  },
  isComplete: (result) => result.resultType !== undefined && !isInputRequired(result),
};

/** The part of `_meta` that says who sends a request. */
export function envelopeOf(clientInfo: Json, capabilities: Json = {}): Json {
  return {
    [META.protocolVersion]: MODERN_VERSIONS[0],
    [META.clientInfo]: clientInfo,
    [META.clientCapabilities]: capabilities,
  };
}

function clientInfoOf(context: RequestContext | undefined): Json | undefined {
  const given = context?.meta[META.clientInfo];
  if (given) return given as Json;
  const { name, version } = context?.client ?? {};
  return name === undefined ? undefined : { name, version: version ?? '0' };
}
