import type { Json, RequestContext } from '@atoll-mcp/core';
import type { UpstreamRequest } from './interface.ts';
import { META, MODERN } from './wire/protocol.ts';

const ENVELOPE: readonly string[] = [META.protocolVersion, META.clientInfo, META.clientCapabilities, META.logLevel];

/** Parameters for a legacy upstream. The progress token is added per call. */
export function legacyParams({ params, context }: UpstreamRequest): Json {
  const meta = clientMeta(context.meta);
  return meta ? { ...params, _meta: meta } : params;
}

/** Parameters for a modern upstream: each request carries client info and capabilities. */
export function modernParams(
  request: Pick<UpstreamRequest, 'method' | 'params'> & Partial<UpstreamRequest>,
  own: Json,
): Json {
  const { context } = request;
  const logLevel = context ? (context.meta[META.logLevel] ?? request.logLevel) : undefined;
  return {
    ...request.params,
    ...(context?.inputResponses && { inputResponses: context.inputResponses }),
    ...(context?.requestState !== undefined && { requestState: context.requestState }),
    _meta: {
      ...(context && clientMeta(context.meta)),
      [META.protocolVersion]: MODERN,
      [META.clientInfo]: clientInfoOf(context) ?? own,
      [META.clientCapabilities]: context?.capabilities ?? {},
      ...(logLevel !== undefined && { [META.logLevel]: logLevel }),
    },
  };
}

function clientInfoOf(context: RequestContext | undefined): Json | undefined {
  const given = context?.meta[META.clientInfo];
  if (given) return given as Json;
  const { name, version } = context?.client ?? {};
  return name === undefined ? undefined : { name, version: version ?? '0' };
}

/** Entries of `_meta` other than the protocol's own and the progress token. */
function clientMeta(meta: Json): Json | undefined {
  let kept: [string, unknown][] | undefined;
  for (const key in meta) {
    if (key === 'progressToken' || ENVELOPE.includes(key)) continue;
    kept ??= [];
    kept.push([key, meta[key]]);
  }
  // Not by assignment, which would set the prototype for a key "__proto__".
  return kept && Object.fromEntries(kept);
}
