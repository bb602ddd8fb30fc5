import type { Limits, RequestContext } from '@atoll-mcp/core';

/** What a caller is limited to in a view: the collections that both its token and the view allow; undefined if neither limits. */
export function collectionLimits(
  view: { readonly collections: readonly string[] | undefined },
  principal: RequestContext['principal'],
): Limits | undefined {
  const own = principal?.collections;
  if (!Array.isArray(own)) return view.collections && { collections: view.collections };
  return { collections: own.filter((name) => view.collections?.includes(name) ?? true) };
}

/** A request as an upstream gets it: with the limits of its caller, if there are any. */
export function withLimits(view: Parameters<typeof collectionLimits>[0], caller: RequestContext): RequestContext {
  const limits = collectionLimits(view, caller.principal);
  return limits ? { ...caller, signal: caller.signal, limits } : caller;
}
