// Starts every built program with the Node that runs this, over stdio and HTTP, and lists its tools with plain JSON-RPC.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readJson, root, serverFolders } from '../workspace.mjs';
import { initialize, initialized, listTools, overStdio, soon, tally } from './list-tools.mjs';

const { check, end } = tally();

for (const folder of serverFolders()) {
  const cli = join(root, folder, 'dist/cli.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-smoke-'));
  for (const [way, list] of [
    ['stdio', (cli, dataDir) => overStdio(process.execPath, [cli, '--data-dir', dataDir])],
    ['http', overHttp],
  ]) {
    await check(`${folder} over ${way}`, async () => {
      const least = readJson(`${folder}/contract.json`).tools.filter(({ optIn }) => !optIn).length;
      const tools = await list(cli, dataDir);
      if (tools.length < least) throw new Error(`listed ${tools.length} of ${least} tools`);
    });
  }
  rmSync(dataDir, { recursive: true, force: true });
}
end();

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
