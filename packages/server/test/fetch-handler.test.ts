import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, expect, test } from 'vitest';
import { mountContract } from '../src/mount/mount-contract.ts';
import { toFetchHandler } from '../src/mount/to-fetch-handler.ts';
import { notesContract, notesServer } from './fixtures/notes.ts';

const URL_OF_MCP = 'http://127.0.0.1/mcp';
const info = { name: 'host', version: '1.0.0' };
const ours = toFetchHandler(notesServer(['first']));
const oracle = createMcpHandler(() => {
  const server = new McpServer(info);
  mountContract(server, notesContract, { service: { add: async () => 1, all: async () => ['first'] } });
  return server;
});
afterAll(() => ours.close());

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': info,
};

function modern(method: string, params: Record<string, unknown> = {}): Request {
  const name = params.name ?? params.uri;
  return new Request(URL_OF_MCP, {
    method: 'POST',
    headers: {
      host: '127.0.0.1',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    } as Record<string, string>,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  });
}

/** The JSON of an answer, whether it came as a body or as the last event of a stream. */
async function answerOf(response: Response): Promise<{ result?: Record<string, unknown>; error?: { code: number } }> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  return JSON.parse(
    isStream
      ? text
          .split('\n')
          .findLast((line) => line.startsWith('data: '))!
          .slice(6)
      : text,
  );
}

test.each([
  ['tools/list', {}],
  ['tools/call', { name: 'note.count', arguments: {} }],
  ['tools/call', { name: 'note.add', arguments: {} }],
  ['resources/read', { uri: 'note://0' }],
  ['prompts/get', { name: 'summarise', arguments: { tone: 'short' } }],
])('%s %o is answered as the handler of the SDK answers it', async (method, params) => {
  const [own, theirs] = await Promise.all([ours(modern(method, params)), oracle.fetch(modern(method, params))]);
  expect(own.status).toBe(theirs.status);
  const [a, b] = await Promise.all([answerOf(own), answerOf(theirs)]);
  const { _meta: _own, ...result } = a.result!;
  const { _meta: _theirs, ...expected } = b.result!;
  expect(result).toEqual(expected);
});

test('an unknown method is refused as the handler of the SDK refuses it', async () => {
  const [own, theirs] = await Promise.all([ours(modern('no/such')), oracle.fetch(modern('no/such'))]);
  expect(own.status).toBe(theirs.status);
  expect((await answerOf(own)).error!.code).toBe((await answerOf(theirs)).error!.code);
});

test('a real client works through it', async () => {
  const fetch = (url: URL | string, init?: RequestInit) => ours(new Request(url, init));
  const client = new Client(info);
  await client.connect(new StreamableHTTPClientTransport(new URL(URL_OF_MCP), { fetch }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('note.add');
  expect(await client.callTool({ name: 'note.add', arguments: { text: 'x' } })).toMatchObject({
    structuredContent: { number: 1 },
  });
  await client.close();
});

test('health is beside it, and other hosts and large bodies are refused', async () => {
  expect((await ours(new Request('http://localhost/health'))).status).toBe(200);
  expect((await ours(new Request('http://evil.example/mcp', { method: 'POST', body: '{}' }))).status).toBe(403);
  const small = toFetchHandler(notesServer(), { maxBodyBytes: 10 });
  expect((await small(modern('tools/list'))).status).toBe(413);
});

test('a public host needs a token', async () => {
  const allowedHosts = ['notes.example'];
  expect(() => toFetchHandler(notesServer(), { allowedHosts })).toThrow(/authToken/);
  const guarded = toFetchHandler(notesServer(), { allowedHosts, authToken: 'secret' });
  const get = (headers: Record<string, string>) => guarded(new Request('https://notes.example/metrics', { headers }));
  expect((await get({})).status).toBe(401);
  expect((await get({ authorization: 'Bearer secret' })).status).toBe(200);
});
