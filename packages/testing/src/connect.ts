import type { Era, McpApp } from '@atoll-mcp/core';
import { connectTransport } from '@atoll-mcp/server';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { sharedValidator } from './shared-validator.ts';

const clientInfo = { name: 'atoll-testing', version: '0.0.0' };

export interface ProgramOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly era?: Era;
}

export interface HttpOptions {
  readonly era?: Era;
  readonly token?: string;
}

/** A client of the current SDK on the app itself, with no process and no port. */
export async function connectInMemory(app: McpApp, options: { era?: Era } = {}): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await connectTransport(app, far);
  const client = newClient(options.era);
  await client.connect(near);
  return client;
}

/** A client of the current SDK on a program that speaks MCP over stdio. */
export async function connectStdio({ command, args = [], env, cwd, era }: ProgramOptions): Promise<Client> {
  const client = newClient(era);
  await client.connect(
    new StdioClientTransport({ command, args: [...args], ...(env && { env }), ...(cwd && { cwd }), stderr: 'pipe' }),
  );
  return client;
}

/** A client of the current SDK on an HTTP endpoint. */
export async function connectHttp(url: string | URL, { era, token }: HttpOptions = {}): Promise<Client> {
  const client = newClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(token) } }));
  return client;
}

/** A client of the SDK's v1 line, which many programs still use: on a program or on an address. */
export async function connectV1(target: ProgramOptions | { url: string | URL; token?: string }): Promise<ClientV1> {
  const client = new ClientV1(clientInfo);
  const transport: unknown =
    'url' in target
      ? new HttpTransportV1(new URL(target.url), { requestInit: { headers: bearer(target.token) } })
      : new StdioTransportV1({
          command: target.command,
          args: [...(target.args ?? [])],
          ...(target.env && { env: target.env }),
          ...(target.cwd && { cwd: target.cwd }),
          stderr: 'pipe',
        });
  // v1's own transports do not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport as TransportV1);
  return client;
}

function newClient(era: Era = 'legacy'): Client {
  const options = era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {};
  return new Client(clientInfo, { ...options, jsonSchemaValidator: sharedValidator });
}

function bearer(token: string | undefined): Record<string, string> {
  return token ? { authorization: `Bearer ${token}` } : {};
}
