import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '@atoll-mcp/core';
import { after } from './harness.ts';

/** A server that is written by hand, for what no proper one does. */
export async function serveRaw(
  handle: (body: Json, request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk) => {
      text += String(chunk);
    });
    incoming.on('end', () => handle(text === '' ? {} : JSON.parse(text), incoming, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

export function answer(
  response: ServerResponse,
  body: object,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...body }));
}

export const initialized = (name = 'raw') => ({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name, version: '1' },
});
export const oneTool = { tools: [{ name: 'work', inputSchema: { type: 'object' } }] };
