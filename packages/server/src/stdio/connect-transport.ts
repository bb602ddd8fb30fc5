import type { McpApp } from '@atoll-mcp/core';
import { McpConnection } from './mcp-connection.ts';

/** What the official SDK, in both its lines, calls a transport: messages in, messages out. */
export interface MessageTransport {
  start(): Promise<void>;
  send(message: { jsonrpc: '2.0'; id: string | number; result: Record<string, unknown> }): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onmessage?: ((message: never) => void) | undefined;
}

/** Serves one client in whichever era it speaks, until the transport closes. */
export async function connectTransport(app: McpApp, transport: MessageTransport): Promise<void> {
  const connection = new McpConnection(app, { send: (text) => transport.send(JSON.parse(text)) });
  transport.onmessage = (message: unknown) => connection.receive(message);
  const closed = transport.onclose;
  transport.onclose = () => {
    connection.close();
    closed?.();
  };
  await transport.start();
}
