// The least an aggregator can do, without an SDK and without any care: parse, take the prefix off, give a new id,
// forward, answer. node _floor.mjs stdio|http <command> [args…]
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const [edge, command, ...args] = process.argv.slice(2);
const waiting = new Map();
let lastId = 0;
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
eachLine(child.stdout, (line) => {
  const { id, result, error } = JSON.parse(line);
  waiting.get(id)?.(error ? { error } : { result });
  waiting.delete(id);
});

function forward(method, params, done) {
  waiting.set(++lastId, done);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
}

function take({ id, method, params = {} }, reply) {
  const done = (body) => reply(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  if (method === 'tools/call') return forward(method, { ...params, name: params.name.slice(3) }, done);
  if (method !== 'tools/list') return forward(method, params, done);
  forward(method, params, ({ result }) => {
    done({ result: { tools: result.tools.map((tool) => ({ ...tool, name: `up_${tool.name}` })) } });
  });
}

if (edge === 'stdio') {
  eachLine(process.stdin, (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) take(message, (text) => process.stdout.write(`${text}\n`));
  });
  process.stdin.on('end', () => process.exit(0));
} else {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      const message = JSON.parse(body);
      if (message.id === undefined) return response.writeHead(202).end();
      take(message, (text) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        response.end(text);
      });
    });
  });
  server.listen(0, '127.0.0.1', () => console.error(`"url":"http://127.0.0.1:${server.address().port}/mcp"`));
}
process.on('SIGTERM', () => process.exit(0));
process.on('exit', () => child.kill());

function eachLine(stream, onLine) {
  let buffered = '';
  stream.setEncoding('utf8').on('data', (data) => {
    const lines = (buffered + data).split('\n');
    buffered = lines.pop();
    for (const line of lines) if (line) onLine(line);
  });
}
