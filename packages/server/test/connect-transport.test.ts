import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, test } from 'vitest';
import { connectTransport } from '../src/stdio/connect-transport.ts';
import { tinyApp } from './fixtures/tiny-app.ts';

test('a transport of the older SDK serves too, and its end aborts what is under way', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const app = tinyApp();
  await connectTransport(app, far);
  const client = new ClientV1({ name: 'old', version: '1' });
  await client.connect(near);
  const answer = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
  expect(answer.content).toEqual([{ type: 'text', text: 'hi' }]);
  client.callTool({ name: 'wait', arguments: {} }).catch(() => {});
  await app.waiting(1);
  await client.close();
  expect(app.aborted).toHaveLength(1);
});
