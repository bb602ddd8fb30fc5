import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { McpApp } from '../app.ts';
import { sdkServerFor } from '../sdk-server.ts';
import type { HttpServeOptions, HttpServer } from './options.ts';

/** Why an address may not be listened on, or nothing. */
export function checkBind(host: string, authToken: string | undefined): string | undefined {
  if (authToken || /^(127\.|localhost$|::1$|\[::1\]$)/.test(host)) return undefined;
  return `${host} is not loopback, so a token is needed (--auth-token-file)`;
}

export async function serveHttp(app: McpApp, options: HttpServeOptions): Promise<HttpServer> {
  const handler = createMcpHandler(({ era }) => sdkServerFor(app, era).server, {
    maxRequestBodySize: options.maxBodyBytes,
  });
  const mcp = toNodeHandler(handler);
  const server = createServer((request, response) => {
    if (request.url === '/mcp') void mcp(request as never, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host}:${port}/mcp`;
  options.log.info('listening', { url });
  return {
    url,
    close: async () => {
      await handler.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
