import type { ServerResponse } from 'node:http';
import type { McpApp } from '@atoll-mcp/core';
import type { HttpRoute, RouteContext } from '@atoll-mcp/server';
import { collectionLimits } from '../access/collection-limits.ts';
import type { BuiltinName } from './builtin.ts';

interface BuiltinRoute extends Pick<HttpRoute, 'method' | 'path' | 'public'> {
  readonly server: BuiltinName;
  /** The equivalent tool: callers who may not call it may not use the route either. */
  readonly tool?: string;
}

/** HTTP routes of built-in servers beside `/mcp`; the servers are loaded on demand. */
const ROUTES: readonly BuiltinRoute[] = [
  { server: 'memorylake', method: 'POST', path: '/memories', tool: 'add_memory' },
  // Links are signed, so no further authorization is needed.
  { server: 'memorylake', method: 'GET', path: '/memories/*', public: true },
  { server: 'cortex-embeddings', method: 'POST', path: '/embed', tool: 'embedding.generate' },
  { server: 'cortex-embeddings', method: 'POST', path: '/embeddings', tool: 'embedding.batch' },
  { server: 'cortex-embeddings', method: 'GET', path: '/model-info', tool: 'model.info' },
  { server: 'cortex-embeddings', method: 'POST', path: '/v1/embeddings', tool: 'embedding.batch' },
  { server: 'cortex-embeddings', method: 'POST', path: '/v1/rerank', tool: 'embedding.rerank' },
  { server: 'cortex-embeddings', method: 'POST', path: '/verify', tool: 'embedding.verify' },
];

interface BuiltinRoutesOptions {
  find(server: BuiltinName): Promise<(McpApp & { readonly routes?: readonly HttpRoute[] }) | undefined>;
  /** The first view of the caller with a tool of a server that runs. */
  viewFor(
    server: BuiltinName,
    tool: string,
    caller: Pick<RouteContext, 'principal'>,
  ): { readonly collections: readonly string[] | undefined } | undefined;
}

export function builtinRoutes({ find, viewFor }: BuiltinRoutesOptions): HttpRoute[] {
  return ROUTES.map(({ server, tool, method, path, public: isPublic }) => ({
    method,
    path,
    ...(isPublic && { public: isPublic }),
    async handle(request, response, context) {
      const app = await find(server).catch(() => undefined);
      const route = app?.routes?.find((own) => own.method === method && own.path === path);
      if (!route) return refuse(response, 404, `${server} is not running`);
      const view = tool === undefined ? undefined : viewFor(server, tool, context);
      if (tool !== undefined && !view) {
        return refuse(response, 403, `This route needs access to the tool "${tool}"`);
      }
      const limits = view && collectionLimits(view, context.principal);
      return route.handle(request, response, limits ? { ...context, limits } : context);
    },
  }));
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
