import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENT, startServer, type TestServer } from './server.ts';

type Mode = 'legacy' | 'auto' | { pin: '2026-07-28' };
const MODES: [string, Mode][] = [
  ['legacy', 'legacy'],
  ['modern', { pin: '2026-07-28' }],
  ['negotiating', 'auto'],
];

async function connect({ url }: TestServer, mode: Mode): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

test.each(MODES)('a %s client lists and calls tools', async (_era, mode) => {
  const client = await connect(await startServer(), mode);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('echo');
  const answer = await client.callTool({ name: 'echo', arguments: { text: 'héllo' } });
  expect(answer.content).toEqual([{ type: 'text', text: 'héllo' }]);
  await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
});

test.each(MODES)('a question of a tool reaches a %s client and its answer comes back', async (_era, mode) => {
  const client = await connect(await startServer(), mode);
  const answer = await client.callTool({ name: 'ask', arguments: {} });
  expect(answer.content).toEqual([{ type: 'text', text: 'Hello Ada kept' }]);
});

test.each(MODES)('a %s client that cancels aborts the running tool', async (_era, mode) => {
  const server = await startServer();
  const client = await connect(server, mode);
  const abort = new AbortController();
  const call = client.callTool({ name: 'wait', arguments: {} }, { signal: abort.signal });
  await server.app.waiting(1);
  abort.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => server.app.aborted.length, PATIENT).toBe(1);
});

test('many calls at once of many clients each get their own answer', async () => {
  const server = await startServer();
  const clients = await Promise.all(MODES.map(([, mode]) => connect(server, mode)));
  const texts = Array.from({ length: 90 }, (_, n) => `text ${n}`);
  const answers = await Promise.all(
    texts.map((text, n) => clients[n % clients.length]!.callTool({ name: 'echo', arguments: { text } })),
  );
  expect(answers.map(({ content }) => content)).toEqual(texts.map((text) => [{ type: 'text', text }]));
});

test('a client of the v1 line calls tools and hears of changes', async () => {
  const { url, app } = await startServer();
  const client = new ClientV1({ name: 'old', version: '1' });
  const heard = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  const transport = new TransportV1(new URL(url));
  // v1's own transports do not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  const answer = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
  expect(answer.content).toEqual([{ type: 'text', text: 'hi' }]);
  app.change({ kind: 'tools' });
  await heard;
  await transport.terminateSession();
  await expect(client.callTool({ name: 'echo', arguments: { text: 'hi' } })).rejects.toThrow();
});

test('a modern client that listens hears of changes', async () => {
  const server = await startServer();
  const client = await connect(server, { pin: '2026-07-28' });
  const heard = new Promise<void>((resolve) =>
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
  );
  await client.listen({ toolsListChanged: true });
  server.app.change({ kind: 'tools' });
  await heard;
});
