// How many of the tools that a task needs `search_tools` shows among the first five, over sets of tools and tasks that are not part
// of the project: TOOL_SETS names the folder, with `<set>/tools.jsonl` and `<set>/queries.jsonl`. The program runs as users run it, with
// the tools behind it as remote servers. TOOL_MODELS names a folder of models (`cortex-embeddings models pull multilingual`).
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHINESE_REQUESTS } from './_chinese-requests.mjs';
import { overStdio, start } from './_client.mjs';

const TARGETS = { en: 0.85, zh: 0.7 };
const { TOOL_SETS: data, TOOL_MODELS: models, TOOL_TASKS: tasks = '200' } = process.env;
if (!data) {
  console.log('TOOL_SETS is not set: nothing to measure');
  process.exit(0);
}
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const running = [];
process.on('exit', () => {
  for (const { stop } of running) stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const set of readdirSync(data).sort()) {
  if (existsSync(join(data, set, 'queries.jsonl'))) await measure(set);
}
process.exit(0);

async function measure(set) {
  const queries = readLines(set, 'queries');
  const servers = serversOf(readLines(set, 'tools'));
  const url = await serve(servers);
  const home = join(folder, set);
  if (models) cpSync(models, join(home, 'cortex-embeddings', 'models'), { recursive: true });
  const mcpServers = Object.fromEntries(
    [...servers.keys()].map((key, index) => [`s${index}`, { url: `${url}/${encodeURIComponent(key)}`, era: 'legacy' }]),
  );
  const config = join(folder, `${set}.json`);
  writeFileSync(config, JSON.stringify({ mode: 'search', servers: { 'cortex-embeddings': {} }, mcpServers }));
  const cold = await begin(config, home);
  console.log(`${set}: ${cold.total} tools; first search ${cold.firstMs.toFixed(0)} ms by ${cold.rankedBy}`);
  await untilMeaning(cold.send);
  cold.stop();
  const warm = await begin(config, home);
  console.log(`${set}: after a restart ${warm.firstMs.toFixed(0)} ms by ${warm.rankedBy}`);
  await untilMeaning(warm.send);
  const every = Math.max(1, Math.floor(queries.length / Number(tasks)));
  const recall = await recallOf(
    warm.send,
    queries.filter((_, index) => index % every === 0),
  );
  figure(`${set}, recall@5`, recall, TARGETS.en);
  const chinese = Object.entries(CHINESE_REQUESTS[set] ?? {}).map(([id, text]) => {
    const { gold } = queries.find(({ _id }) => _id === id);
    return { text, gold };
  });
  if (models && chinese.length > 0)
    figure(`${set} in Chinese, recall@5`, await recallOf(warm.send, chinese), TARGETS.zh);
  warm.stop();
}

async function begin(config, home) {
  const program = start([cli, '--config', config, '--data-dir', home]);
  running.push(program);
  const send = await overStdio(program);
  await send('tools/list', {});
  const startedAt = performance.now();
  const { ranked_by: rankedBy, total } = await search(send, 'send a message to my team');
  return { send, total, rankedBy, firstMs: performance.now() - startedAt, stop: program.stop };
}

/** Searches are answered by words while the models load. */
async function untilMeaning(send) {
  while ((await search(send, 'anything')).ranked_by === 'words') await new Promise((done) => setTimeout(done, 500));
}

async function search(send, query) {
  const { result } = await send('tools/call', { name: 'search_tools', arguments: { query, limit: 5 } });
  return result.structuredContent;
}

async function recallOf(send, queries) {
  let sum = 0;
  for (const { text, gold } of queries) {
    const { tools } = await search(send, text);
    const names = tools.flatMap(({ name, alternatives = [] }) => [name, ...alternatives]).map(ownName);
    const hits = gold.filter((group) => group.some((id) => names.includes(folded(id.replace(/#\d+$/, '')))));
    sum += hits.length / gold.length;
  }
  return sum / queries.length;
}

// Long names end in a hash, so only their beginnings are compared.
function ownName(listed) {
  return folded(listed.replace(/^s\d+_/, ''));
}

function folded(name) {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 45);
}

/** Tools by server; tools of one name are shared out over servers, as one server has each name once. */
function serversOf(tools) {
  const servers = new Map();
  for (const { server, name, description, inputSchema } of tools) {
    const home = (server ?? 'tools').split('/')[0];
    let key = home;
    for (let copy = 2; servers.get(key)?.has(name); copy++) key = `${home} ${copy}`;
    if (!servers.has(key)) servers.set(key, new Map());
    servers.get(key).set(name, { name, description, inputSchema });
  }
  return servers;
}

async function serve(servers) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { id, method } = body ? JSON.parse(body) : {};
    if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
    const key = decodeURIComponent(request.url.slice(1));
    const results = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: key, version: '1' },
      },
      'tools/list': { tools: [...servers.get(key).values()] },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

function readLines(set, name) {
  const lines = readFileSync(join(data, set, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

function figure(name, value, target) {
  const rounded = Math.round(value * 1000) / 1000;
  console.log(JSON.stringify({ bench: `aggregator: ${name}`, value: rounded, target, holds: value >= target }));
}
