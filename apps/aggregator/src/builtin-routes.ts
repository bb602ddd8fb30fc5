import type { HttpRoute, McpApp } from '@atoll-mcp/core';
import type { BuiltinName } from './upstreams/builtin.ts';

/** What built-in servers answer over HTTP beside `/mcp`; the servers themselves are loaded when one is asked for. */
const ROUTES: readonly (Pick<HttpRoute, 'method' | 'path' | 'public'> & { server: BuiltinName })[] = [
  { server: 'memorylake', method: 'POST', path: '/memories' },
  { server: 'memorylake', method: 'GET', path: '/memories/*', public: true },
  { server: 'cortex-embeddings', method: 'POST', path: '/embed' },
  { server: 'cortex-embeddings', method: 'POST', path: '/embeddings' },
  { server: 'cortex-embeddings', method: 'GET', path: '/model-info' },
  { server: 'cortex-embeddings', method: 'POST', path: '/v1/embeddings' },
];

type Routed = McpApp & { readonly routes?: readonly HttpRoute[] };

export function builtinRoutes(find: (server: BuiltinName) => Promise<Routed | undefined>): HttpRoute[] {
  return ROUTES.map(({ server, method, path, public: isPublic }) => ({
    method,
    path,
    ...(isPublic && { public: isPublic }),
    async handle(request, response, context) {
      const app = await find(server).catch(() => undefined);
      const route = app?.routes?.find((own) => own.method === method && own.path === path);
      if (route) return route.handle(request, response, context);
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: `${server} does not run here` }));
    },
  }));
}
