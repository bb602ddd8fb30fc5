import type { RequestContext } from '@atoll-mcp/core';
import { CAPABILITY_OF } from '../wire/protocol.ts';

const ASKABLE = [...CAPABILITY_OF.values()];

/** The owner of a call: its session, or the request itself without sessions. */
export function ownerOf(context: RequestContext): unknown {
  return context.session?.id ?? context;
}

export function canBeAsked(context: RequestContext, method?: string): boolean {
  if (context.era === 'legacy' && !context.ask) return false;
  if (method === undefined) return ASKABLE.some((name) => context.capabilities[name] !== undefined);
  const capability = CAPABILITY_OF.get(method);
  return capability === undefined || context.capabilities[capability] !== undefined;
}
