// tools/call and tools/list over HTTP: CPU time per call of core's endpoint against the SDK's createMcpHandler on the
// same trivial tool, in both eras. Servers are processes of their own; runs alternate, so load hits both alike.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';

const CALLS = 1500;
const ROUNDS = process.argv.includes('--long') ? 7 : 3;
const CONCURRENT = 16;
const TARGET = 2;
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
};

const servers = { core: await start('core'), sdk: await start('sdk') };
for (const [bench, params] of [
  ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
  ['tools/list', {}],
]) {
  for (const era of ['legacy', 'modern']) {
    const cpu = { core: [], sdk: [] };
    for (let round = 0; round < ROUNDS + 1; round++) {
      for (const name of ['core', 'sdk']) {
        const micros = await load(servers[name], era, bench, params);
        // The first round warms up.
        if (round > 0) cpu[name].push(micros);
      }
    }
    const [core, sdk] = [median(cpu.core), median(cpu.sdk)];
    const ratio = Number((sdk / core).toFixed(2));
    console.log(
      JSON.stringify({
        bench: `core/http ${bench} ${era}`,
        core_cpu_us: core,
        sdk_cpu_us: sdk,
        calls_per_cpu_second: Math.round(1e6 / core),
        ratio,
        target: TARGET,
        holds: ratio >= TARGET,
      }),
    );
  }
}
agent.destroy();
for (const { child } of Object.values(servers)) child.kill();

async function start(name) {
  const child = fork(fileURLToPath(new URL('_http-server.mjs', import.meta.url)), [name], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { port } = await next(child);
  const opened = await post({ port }, {}, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  });
  const session = opened.headers['mcp-session-id'];
  return { child, port, session: session ? { 'mcp-session-id': session } : {} };
}

/** CPU µs per call. */
async function load(server, era, method, params) {
  const isModern = era === 'modern';
  const headers = isModern
    ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(params.name && { 'mcp-name': params.name }) }
    : { 'mcp-protocol-version': '2025-11-25', ...server.session };
  const sent = isModern ? { ...params, _meta: META } : params;
  const before = await cpuOf(server.child);
  let left = CALLS;
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      while (left-- > 0) {
        const { status, text } = await post(server, headers, method, sent);
        if (status !== 200 || !text.includes('"result"')) throw new Error(`${status} ${text}`);
      }
    }),
  );
  return Math.round(((await cpuOf(server.child)) - before) / CALLS);
}

function post({ port }, headers, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path: '/mcp',
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function cpuOf(child) {
  child.send('cpu');
  const { cpu } = await next(child);
  return cpu.user + cpu.system;
}

async function next(child) {
  const [message] = await once(child, 'message');
  return message;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
