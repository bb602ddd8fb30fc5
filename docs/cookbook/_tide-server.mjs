// Somebody else's MCP server: one tool, plain JSON-RPC over stdio, no library.
import { createInterface } from 'node:readline';

const tool = {
  name: 'next_tide',
  description: 'When the next high tide is at a harbour.',
  inputSchema: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
};
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tides', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { harbour } }) => ({
    content: [{ type: 'text', text: `High tide at ${harbour}: 14:20` }],
  }),
  ping: () => ({}),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = methods[method]?.(params);
  const body = answer ? { result: answer } : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
}
