// Starts a program of this repository for a recipe, with data of its own that is removed afterwards.
// Outside of the repository, the command is `npx -y @atoll-mcp/<name>`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A folder for this run. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-cookbook-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export function programOf(name) {
  const folder = name === 'aggregator' ? 'apps' : 'packages';
  return fileURLToPath(new URL(`../../${folder}/${name}/dist/cli.js`, import.meta.url));
}

/** A client on a program that speaks over stdio. `call` gives what a tool returns, and throws what it refuses. */
export async function connect(name, { flags = [], env = {}, dataDir = newFolder() } = {}) {
  const client = new Client({ name: 'cookbook', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf(name), '--data-dir', dataDir, ...flags],
    env: { ...process.env, ...env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return {
    client,
    close: () => client.close(),
    async call(tool, args = {}) {
      const answer = await client.callTool({ name: tool, arguments: args }, { timeout: 120_000 });
      if (answer.isError) throw new Error(answer.content.map(({ text }) => text).join('\n'));
      return answer.structuredContent ?? answer;
    },
  };
}

/** The address of a program that serves HTTP on a free port. */
export async function serve(name, { flags = [], dataDir = newFolder() } = {}) {
  const args = [programOf(name), '--http', '--port', '0', '--data-dir', dataDir, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stderr })) {
    if (!line.includes('"msg":"listening"')) continue;
    const close = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { url: JSON.parse(line).url, close };
  }
  throw new Error(`${name} ended before it listened`);
}
