import { mountContract } from '@atoll-mcp/server/mount';
import { McpServer } from '@modelcontextprotocol/server';
import { contract, Greeter } from './greeter.ts';

/** Your own server of the official SDK, with the tools of a contract on it. `@modelcontextprotocol/sdk` 1.x works the same way. */
export function createHost(): McpServer {
  const server = new McpServer({ name: 'my-server', version: '1.0.0' });
  mountContract(server, contract, { service: new Greeter() });
  return server;
}
