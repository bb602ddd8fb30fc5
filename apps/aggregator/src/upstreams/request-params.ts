import type { Json, RequestContext } from '@atoll-mcp/core';
import type { UpstreamRequest } from './interface.ts';
import { META, MODERN } from './wire/protocol.ts';

const ENVELOPE: readonly string[] = [META.protocolVersion, META.clientInfo, META.clientCapabilities, META.logLevel];

/** Parameters as a legacy upstream knows them. The progress token is given per call, later. */
export function legacyParams({ params, context }: UpstreamRequest): Json {
  const meta = foreignMeta(context.meta);
  return meta ? { ...params, _meta: meta } : params;
}

/** Parameters as a modern upstream wants them: each request says who asks and what they can do. */
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
      ...(context && foreignMeta(context.meta)),
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

/** What the client put into `_meta` that is neither the protocol's envelope nor its progress token. */
function foreignMeta(meta: Json): Json | undefined {
  let kept: Json | undefined;
  for (const key in meta) {
    if (key === 'progressToken' || ENVELOPE.includes(key)) continue;
    kept ??= {};
    kept[key] = meta[key];
  }
  return kept;
}
