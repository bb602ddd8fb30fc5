import { readFileSync } from 'node:fs';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { greetOver } from '../examples/client.ts';
import { fetch } from '../examples/fetch.ts';
import { createHost } from '../examples/mount.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8').trim();

test.each(['mount', 'fetch', 'client'])('the README shows examples/%s.ts as it is', (name) => {
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read(`../examples/${name}.ts`)}\n\`\`\``);
});

test('a mounted contract is called by a typed client', async () => {
  const call = async (name: string) => {
    const [a, b] = InMemoryTransport.createLinkedPair();
    await createHost().connect(a);
    return greetOver(b, name);
  };
  expect(await call('Ada')).toBe('Hello, Ada!');
  expect(await call('nobody')).toBe('Refused: There is nobody to greet; give a name.');
});

test('a fetch handler answers a request', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const response = await fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"name":"greeter"');
});
