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
    `  --data ${quoted(JSON.stringify(messageOf('tools/call', params)))}`,
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
