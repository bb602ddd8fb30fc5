import { createServer } from '@atoll-mcp/server';
import { toFetchHandler } from '@atoll-mcp/server/mount';
import { contract, Greeter } from './greeter.ts';

/** `Request → Response`: `Bun.serve({ fetch })`, `Deno.serve(fetch)`, `app.all('/mcp', (c) => fetch(c.req.raw))` in Hono. */
export const fetch = toFetchHandler(createServer(contract, { service: new Greeter() }));
