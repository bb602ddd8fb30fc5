import { endpoint, hasToken, headersOf, messageOf } from './mcp.ts';

/** The token itself never leaves the page; whoever copies a command has it in a variable of their own. */
const TOKEN = 'ATOLL_TOKEN';

/** A call as a command for a shell. */
export function asCurl(params: Record<string, unknown>): string {
  const { authorization, ...headers } = headersOf('tools/call', params);
  return [
    `curl -sS ${quoted(endpoint)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(authorization ? [`  -H "authorization: Bearer $${TOKEN}"`] : []),
    `  --data ${quoted(JSON.stringify(messageOf('tools/call', params, { isPersons: true })))}`,
  ].join(' \\\n');
}

/** This endpoint as most clients want it. */
export function clientConfig(): object {
  const headers = { Authorization: `Bearer \${${TOKEN}}` };
  return { mcpServers: { atoll: { url: endpoint, ...(hasToken() && { headers }) } } };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** A call as a program with the official SDK. */
export function asTypeScript(call: Call): string {
  const options = hasToken()
    ? `, {\n  requestInit: { headers: { authorization: \`Bearer \${process.env.${TOKEN}}\` } },\n}`
    : '';
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'my-program', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(endpoint)})${options}));
console.log(await client.callTool(${JSON.stringify(call, null, 2)}));
await client.close();
`;
}

/** A call as a line of a `run_tools` program. */
export function asProgram(call: Call): string {
  return `return await tools[${JSON.stringify(call.name)}](${JSON.stringify(call.arguments, null, 2)});\n`;
}
