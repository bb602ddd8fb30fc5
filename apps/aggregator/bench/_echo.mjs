// A stdio server without an SDK and with one tool, so that what is measured is the way and not the work.
let buffered = '';
process.stdin.setEncoding('utf8').on('data', (data) => {
  const lines = (buffered + data).split('\n');
  buffered = lines.pop();
  for (const line of lines) if (line) answer(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));

function answer({ id, method, params }) {
  if (id === undefined) return;
  const send = (body) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`);
  if (method === 'initialize') {
    const serverInfo = { name: 'echo', version: '1' };
    send({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'ping') send({ result: {} });
  else if (method === 'tools/list') send({ result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') send({ result: { content: [{ type: 'text', text: params.arguments.text }] } });
  else send({ error: { code: -32601, message: 'Method not found' } });
}
