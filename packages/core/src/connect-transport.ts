import type { Transport } from '@modelcontextprotocol/server';
import type { McpApp } from './app.ts';

/** What the official SDK calls a transport: messages in, messages out. */
export type MessageTransport = Transport;

/** Serves one client in whichever era it opens with, until the transport closes. */
export async function connectTransport(app: McpApp, transport: MessageTransport): Promise<void> {
  const [{ serveStdio }, { sdkServerFor }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./sdk-server.ts'),
  ]);
  const servers = new Set<{ stop(): void }>();
  serveStdio(
    ({ era }) => {
      const { server, stop } = sdkServerFor(app, era);
      servers.add({ stop });
      return server;
    },
    { transport },
  );
  const closed = transport.onclose;
  transport.onclose = () => {
    for (const { stop } of servers) stop();
    closed?.();
  };
}
