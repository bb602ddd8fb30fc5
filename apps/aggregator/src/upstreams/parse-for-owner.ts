import type { RequestContext } from '@atoll-mcp/core';
import type { Catalog } from '../catalog/catalog.ts';
import type { UpstreamSupervisor } from './upstream-supervisor.ts';

/** Lets the in-process server whose tool is called read the message from its bytes, where it can. */
export function parseForOwner(
  bytes: Buffer,
  request: Pick<RequestContext, 'path' | 'principal'>,
  supervisors: readonly UpstreamSupervisor[],
  view: () => { readonly catalog: Catalog },
): unknown {
  for (const supervisor of supervisors) {
    const message = supervisor.link?.app?.parse?.(bytes, request, (name) => {
      const entry = entryOf(name, view);
      return entry?.member.supervisor === supervisor ? entry.ownName : undefined;
    });
    if (message !== undefined) return message;
  }
  return undefined;
}

function entryOf(name: string, view: () => { readonly catalog: Catalog }) {
  try {
    return view().catalog.tool(name);
  } catch {
    // A forbidden view is reported when the call is handled.
    return undefined;
  }
}
