// Starts every built program with the Node that runs this, over stdio and HTTP, and lists its tools with plain JSON-RPC.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const programs = [
  'packages/tensor-directory',
  'packages/msty-admin',
  'packages/cortex-embeddings',
  'packages/memorylake',
  'apps/aggregator',
];
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'smoke', version: '0' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
let passed = 0;
let failed = 0;

for (const folder of programs) {
  const cli = join(folder, 'dist/cli.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-smoke-'));
  for (const [way, list] of [
    ['stdio', overStdio],
    ['http', overHttp],
  ]) {
    await report(`${folder} over ${way}`, async () => {
      const least = JSON.parse(readFileSync(join(folder, 'contract.json'), 'utf8')).tools.length;
      const tools = await list(cli, dataDir);
      if (tools.length < least) throw new Error(`listed ${tools.length} of ${least} tools`);
    });
  }
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

async function report(title, check) {
  try {
    await check();
    passed += 1;
    console.log(`✓ ${title}`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${title}: ${error.message}`);
  }
}

async function overStdio(cli, dataDir) {
  const child = spawn(process.execPath, [cli, '--data-dir', dataDir], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await soon(lines.next());
    child.stdin.write(`${JSON.stringify(initialized)}\n${JSON.stringify(listTools)}\n`);
    for (;;) {
      const message = JSON.parse((await soon(lines.next())).value);
      if (message.id === 2) return message.result.tools;
    }
  } finally {
    child.stdin.end();
    await soon(ended);
  }
}

async function overHttp(cli, dataDir) {
  const args = [cli, '--http', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await soon(listeningAt(child));
    const opened = await post(url, initialize);
    const session = opened.headers.get('mcp-session-id');
    await post(url, initialized, session);
    return messageOf(await (await post(url, listTools, session)).text()).result.tools;
  } finally {
    child.kill('SIGTERM');
    await soon(ended);
  }
}

async function listeningAt(child) {
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('"msg":"listening"')) return JSON.parse(line).url;
  }
  throw new Error('ended before it listened');
}

function post(url, message, session) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  if (session) headers['mcp-session-id'] = session;
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
}

function messageOf(text) {
  const data = text.split('\n').filter((line) => line.startsWith('data:') && line.length > 6);
  return JSON.parse(data.length > 0 ? data.at(-1).slice(5) : text);
}

function soon(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within a minute')), 60_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
