// node test/e2e/real-clients.mjs: other people's MCP clients list and call through the built aggregator. They are
// fetched once into a cache folder; nothing here depends on them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const cache = here('../../../../.cache/clients');
const PACKAGES = [
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/sdk@1.32.2',
  '@openai/agents@0.20.0',
  '@ai-sdk/mcp@1.0.101',
  '@langchain/mcp-adapters@1.1.4',
  'mcporter@0.9.0',
];
install();
const load = createRequire(join(cache, 'package.json'));
const folder = mkdtempSync(join(tmpdir(), 'atoll-clients-'));
const config = join(folder, 'atoll.json');
writeFileSync(
  config,
  JSON.stringify({ mcpServers: { one: { command: process.execPath, args: [here('../fixtures/legacy-server.mjs')] } } }),
);
const flags = ['--no-builtin', '--config', config, '--data-dir', folder];
const server = spawn(process.execPath, [here('../../dist/cli.js'), ...flags, '--http', '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const url = await listening(server);

const clients = {
  'inspector CLI, legacy': () => inspector(['--protocol-era', 'legacy']),
  'inspector CLI, modern': () => inspector(['--protocol-era', 'modern']),
  'SDK v1': async () => {
    const { Client } = await import(resolve('@modelcontextprotocol/sdk/client/index.js'));
    const { StreamableHTTPClientTransport } = await import(
      resolve('@modelcontextprotocol/sdk/client/streamableHttp.js')
    );
    const client = new Client({ name: 'v1', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'one_echo', arguments: { text: 'hello' } });
    await client.close();
    return [tools.map(({ name }) => name), JSON.stringify(answer)];
  },
  '@openai/agents': async () => {
    const { MCPServerStreamableHttp } = await import(resolve('@openai/agents'));
    const client = new MCPServerStreamableHttp({ url, name: 'atoll' });
    await client.connect();
    const tools = await client.listTools();
    const answer = await client.callTool('one_echo', { text: 'hello' });
    await client.close();
    return [tools.map(({ name }) => name), JSON.stringify(answer)];
  },
  '@ai-sdk/mcp': async () => {
    const { experimental_createMCPClient, createMCPClient } = await import(resolve('@ai-sdk/mcp'));
    const client = await (createMCPClient ?? experimental_createMCPClient)({ transport: { type: 'http', url } });
    const tools = await client.tools();
    const answer = await tools.one_echo.execute({ text: 'hello' }, { toolCallId: '1', messages: [] });
    await client.close();
    return [Object.keys(tools), JSON.stringify(answer)];
  },
  '@langchain/mcp-adapters': async () => {
    const { MultiServerMCPClient } = await import(resolve('@langchain/mcp-adapters'));
    const client = new MultiServerMCPClient({ mcpServers: { atoll: { transport: 'http', url } } });
    const tools = await client.getTools();
    const answer = await tools.find(({ name }) => name === 'one_echo').invoke({ text: 'hello' });
    await client.close();
    return [tools.map(({ name }) => name), JSON.stringify(answer)];
  },
  mcporter: async () => {
    const file = join(folder, 'mcporter.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { atoll: { baseUrl: url } } }));
    const call = (...args) => run([join(cache, 'node_modules/mcporter/dist/cli.js'), '--config', file, ...args]);
    return [
      call('list', 'atoll', '--json'),
      call('call', '--server', 'atoll', '--tool', 'one_echo', '--args', '{"text":"hello"}', '--output', 'json'),
    ];
  },
};

let failures = 0;
for (const [name, use] of Object.entries(clients)) {
  try {
    const [names, answer] = await use();
    if (!names.includes('one_echo')) throw new Error('one_echo is not listed');
    if (!answer.includes('hello')) throw new Error(`it answered ${answer}`);
    console.log(`ok  ${name}`);
  } catch (error) {
    failures++;
    console.log(`no  ${name}: ${error.message.split('\n')[0]}`);
  }
}
server.kill('SIGTERM');
rmSync(folder, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);

function inspector(era) {
  const cli = join(cache, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const base = [cli, '--cli', url, '--transport', 'http', '--format', 'json', ...era];
  const call = ['--method', 'tools/call', '--tool-name', 'one_echo', '--tool-args-json', '{"text":"hello"}'];
  return [run([...base, '--method', 'tools/list']), run([...base, ...call])];
}

function run(args) {
  const env = { ...process.env, MCP_CATALOG_PATH: join(folder, 'catalog.json') };
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    env,
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function resolve(name) {
  return pathToFileURL(load.resolve(name)).href;
}

async function listening(child) {
  for await (const line of createInterface({ input: child.stderr })) {
    const found = /"url":"([^"]+)"/.exec(line)?.[1];
    if (found) {
      child.stderr.resume();
      return found;
    }
  }
  throw new Error('the aggregator did not start');
}

function install() {
  if (
    PACKAGES.every((name) =>
      existsSync(join(cache, 'node_modules', name.slice(0, name.lastIndexOf('@')), 'package.json')),
    )
  )
    return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"private":true}');
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  execFileSync(
    'npm',
    ['install', ...quiet, '--prefix', cache, ...PACKAGES, 'zod@4', '@langchain/core@1', '@langchain/langgraph@1'],
    {
      stdio: 'inherit',
    },
  );
}
