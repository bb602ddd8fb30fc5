// One trivial tool behind HTTP, by core or by the SDK. Says its port, and its CPU time whenever it is asked.
import { createServer as createHttpServer } from 'node:http';
import { z } from 'zod';

const words = { description: 'Adds two numbers.', input: z.object({ a: z.number(), b: z.number() }) };
const output = z.object({ sum: z.number() });
const port = await { core, sdk }[process.argv[2]]();
process.on('message', () => process.send({ cpu: process.cpuUsage() }));
process.send({ port });

async function core() {
  const { plain, ToolError, toolsFor } = await import('@atoll-mcp/core');
  const { createServer, serveHttp } = await import('../dist/index.js');
  const tool = toolsFor()({
    name: 'add',
    title: 'Add',
    description: words.description,
    input: words.input,
    output,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    errors: [],
    run: async ({ a, b }) => ({ sum: a + b }),
  });
  const contract = {
    name: 'bench',
    title: 'Bench',
    version: '0.0.0',
    description: 'Bench',
    instructions: 'Add.',
    envelope: plain,
    failures: { invalidInput: () => new ToolError('I', ''), internal: () => new ToolError('X', '') },
    tools: [tool],
  };
  return (await serveHttp(createServer(contract, { service: {} }))).port;
}

async function sdk() {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'bench', version: '0.0.0' }, { instructions: 'Add.' });
    const about = { title: 'Add', description: words.description, inputSchema: words.input, outputSchema: output };
    server.registerTool('add', about, async ({ a, b }) => ({
      content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
      structuredContent: { sum: a + b },
    }));
    return server;
  });
  const server = createHttpServer(toNodeHandler(handler));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
}
