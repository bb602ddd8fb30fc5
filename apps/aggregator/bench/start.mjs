// From nothing to the tools of our four servers; and, in front of foreign servers, how long a dead and a hanging one
// delay the rest, how soon a crashed one answers again, and how soon a cancelled call is cancelled at the server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overStdio, start } from './_client.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const cli = here('../dist/cli.js');
const legacy = here('../test/fixtures/legacy-server.mjs');
const bad = here('../test/fixtures/bad-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const running = [];
process.on('exit', () => {
  for (const { stop } of running) stop();
  rmSync(folder, { recursive: true, force: true });
});

const own = await median(3, async (round) => {
  const began = performance.now();
  const send = await open(['--data-dir', join(folder, `own-${round}`)]);
  const { result } = await send('tools/list', {});
  const names = result.tools.map(({ name }) => name);
  for (const wanted of ['upload_tensor', 'embedding_generate', 'search_memory']) {
    if (!names.includes(wanted)) throw new Error(`${wanted} is not listed`);
  }
  return performance.now() - began;
});
figure('ms from start to the tools of our four servers', own, 1500);

const config = join(folder, 'atoll.json');
const journal = join(folder, 'journal');
const node = process.execPath;
writeFileSync(
  config,
  JSON.stringify({
    mcpServers: {
      dead: { command: node, args: [bad, 'dead'] },
      hanging: { command: node, args: [bad, 'hanging'] },
      good: { command: node, args: [legacy], env: { FIXTURE_JOURNAL: journal } },
    },
  }),
);
const foreign = ['--no-builtin', '--config', config, '--data-dir'];
let send;
const listed = await median(3, async (round) => {
  send = await open([...foreign, join(folder, `foreign-${round}`)]);
  const began = performance.now();
  const { result } = await send('tools/list', {});
  const ms = performance.now() - began;
  if (!result.tools.some(({ name }) => name === 'good_echo')) throw new Error('good_echo is not listed');
  return ms;
});
figure('ms until healthy tools are listed beside a dead and a hanging server', listed, 1000);

await send('tools/call', { name: 'good_crash', arguments: {} });
const crashed = performance.now();
const { result } = await send('tools/call', { name: 'good_echo', arguments: { text: 'back' } });
if (result?.content?.[0]?.text !== 'back') throw new Error('it did not come back');
figure('ms from a crash to the next answer', performance.now() - crashed, 1000);

const { child } = running.at(-1);
child.stdin.write(
  `${JSON.stringify({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'good_slow', arguments: { ms: 60_000 } } })}\n`,
);
await until(() => read(journal).includes('"slow"'));
const cancelled = performance.now();
child.stdin.write(
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } })}\n`,
);
await until(() => read(journal).includes('"kind":"cancelled"'));
figure('ms until a cancelled call is cancelled at the server', performance.now() - cancelled, 100);
process.exit(0);

async function open(args) {
  const program = start([cli, ...args]);
  running.push(program);
  return overStdio(program);
}

async function median(rounds, measure) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await measure(round));
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

async function until(check) {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 2));
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function figure(name, value, limit) {
  console.log(`${name}: ${value.toFixed(0)} (at most ${limit})`);
  console.log(JSON.stringify({ bench: `aggregator: ${name}`, value: Math.round(value), limit, holds: value <= limit }));
}
