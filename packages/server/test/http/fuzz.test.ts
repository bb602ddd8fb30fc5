import fc from 'fast-check';
import { expect, test } from 'vitest';
import { McpConnection } from '../../src/stdio/mcp-connection.ts';
import { tinyApp } from '../fixtures/tiny-app.ts';
import { MODERN, startServer } from './server.ts';

const word = fc.constantFrom(
  'initialize',
  'ping',
  'tools/call',
  'tools/list',
  'server/discover',
  'constructor',
  '__proto__',
);
const meta = fc.oneof(fc.constant(MODERN), fc.jsonValue(), fc.constant({ ...MODERN, progressToken: 1 }));
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0'),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method: fc.oneof(word, fc.jsonValue()),
    params: fc.oneof(
      fc.record({ name: fc.oneof(fc.constant('echo'), fc.jsonValue()), arguments: fc.jsonValue(), _meta: meta }),
      fc.jsonValue(),
    ),
    result: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.string(),
  fc.json(),
  message.map((value) => JSON.stringify(value)),
  fc.array(message).map((list) => JSON.stringify(list)),
);

test('whatever comes over a connection is answered in JSON-RPC or not at all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 5 }), async (texts) => {
      const sent: unknown[] = [];
      const connection = new McpConnection(tinyApp(), { send: (text) => void sent.push(JSON.parse(text)) });
      for (const text of texts) connection.receiveText(text);
      await connection.drained();
      connection.close();
      for (const answer of sent.flat()) expect(answer).toMatchObject({ jsonrpc: '2.0' });
    }),
    { numRuns: 200 },
  );
});

test('whatever is posted is answered, never with a crash', async () => {
  const server = await startServer();
  const headers = fc.record(
    {
      'mcp-session-id': fc.constantFrom('x', (await server.session())['mcp-session-id'] ?? ''),
      'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-11-25', 'zzz'),
      'mcp-method': word,
      accept: fc.constantFrom('application/json', '*/*', 'text/html', 'text/event-stream'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(body, headers, async (text, given) => {
      const { status } = await server.post(text, given as Record<string, string>);
      expect([200, 202, 400, 404, 406]).toContain(status);
    }),
    { numRuns: 150 },
  );
});
