// Other aggregators and proxies that npm offers, fetched once into a cache folder.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../.cache/peers', import.meta.url));
const PEERS = ['mcp-proxy@6.7.19', 'supergateway@4.0.0', 'mcp-hub@4.2.1'];

/** How to start each peer in front of a stdio server, and where it then listens. */
export async function peers(node, echo) {
  install();
  const [a, b, c] = [await freePort(), await freePort(), await freePort()];
  const hub = join(cache, 'mcp-hub.json');
  writeFileSync(hub, JSON.stringify({ mcpServers: { up: { command: node, args: [echo] } } }));
  return [
    {
      name: 'mcp-proxy',
      args: [bin('mcp-proxy'), '--port', String(a), '--host', '127.0.0.1', '--', node, echo],
      url: `http://127.0.0.1:${a}/mcp`,
      tool: 'echo',
    },
    {
      name: 'supergateway',
      args: [
        bin('supergateway'),
        '--stdio',
        `${node} ${echo}`,
        '--outputTransport',
        'streamableHttp',
        '--stateful',
        '--port',
        String(b),
      ],
      url: `http://127.0.0.1:${b}/mcp`,
      tool: 'echo',
    },
    {
      name: 'mcp-hub',
      args: [bin('mcp-hub'), '--port', String(c), '--config', hub],
      url: `http://127.0.0.1:${c}/mcp`,
      tool: 'up__echo',
      isSse: true,
    },
  ];
}

function install() {
  const missing = PEERS.filter((peer) => !existsSync(join(cache, 'node_modules', peer.split('@')[0], 'package.json')));
  if (missing.length === 0) return;
  mkdirSync(cache, { recursive: true });
  const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', cache];
  execFileSync('npm', ['install', ...flags, ...PEERS], { stdio: 'inherit' });
}

function bin(name) {
  const folder = join(cache, 'node_modules', name);
  const { bin: found } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof found === 'string' ? found : found[name]);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
