import type { Transport } from '@modelcontextprotocol/server';
import type { McpApp } from './app.ts';
import { Connection } from './connection.ts';

/** What the official SDK calls a transport: messages in, messages out. */
export type MessageTransport = Transport;

/** Serves one client in whichever era it speaks, until the transport closes. */
export async function connectTransport(app: McpApp, transport: MessageTransport): Promise<void> {
  const connection = new Connection(app, { send: (text) => transport.send(JSON.parse(text)) });
  transport.onmessage = (message) => connection.receive(message);
  const closed = transport.onclose;
  transport.onclose = () => {
    connection.close();
    closed?.();
  };
  await transport.start();
}
