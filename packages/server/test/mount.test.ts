import { connectInMemory } from '@atoll-mcp/testing';
import { Client as ClientV2, InMemoryTransport as InMemoryTransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { mountContract } from '../src/mount/mount-contract.ts';
import { notesContract, notesServer } from './fixtures/notes.ts';

const info = { name: 'host', version: '1.0.0' };
const notes: string[] = [];
const service = { add: async (text: string) => notes.push(text) - 1, all: async () => notes };

async function throughV1() {
  const server = new McpServerV1(info);
  mountContract(server, notesContract, { service });
  const [a, b] = InMemoryTransportV1.createLinkedPair();
  await server.connect(a);
  const client = new ClientV1(info);
  await client.connect(b);
  return client;
}

async function throughV2() {
  const server = new McpServerV2(info);
  mountContract(server, notesContract, { service });
  const [a, b] = InMemoryTransportV2.createLinkedPair();
  await server.connect(a);
  const client = new ClientV2(info);
  await client.connect(b);
  return client;
}

describe.each([
  ['@modelcontextprotocol/sdk 1.x', throughV1],
  ['@modelcontextprotocol/server 2.x', throughV2],
])('a contract on %s', (_, open) => {
  test('answers every method as our own server does', async () => {
    notes.length = 0;
    // The SDK's two clients have the same methods, which their types do not share.
    const mounted = (await open()) as unknown as ClientV2;
    const own = await connectInMemory(notesServer([...notes]), { era: 'legacy' });
    const steps: ((client: ClientV2) => Promise<unknown>)[] = [
      (client) => client.listTools(),
      (client) => client.callTool({ name: 'note.add', arguments: { text: 'first' } }),
      (client) => client.callTool({ name: 'note.add', arguments: {} }),
      (client) => client.callTool({ name: 'note.count', arguments: {} }),
      (client) => client.callTool({ name: 'note.crash', arguments: {} }),
      (client) => client.listResources(),
      (client) => client.listResourceTemplates(),
      (client) => client.readResource({ uri: 'note://0' }),
      (client) => client.listPrompts(),
      (client) => client.getPrompt({ name: 'summarise', arguments: { tone: 'short' } }),
    ];
    for (const step of steps) expect(await step(mounted)).toEqual(await step(own as unknown as ClientV2));
    await expect(mounted.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await mounted.close();
    await own.close();
  });
});

test('what is not a server of the SDK is refused by name', () => {
  expect(() => mountContract({}, notesContract, { service })).toThrow(/McpServer or Server/);
});
