// Clients call without pause while upstreams are killed, hang and come back. Every call must be answered or refused
// with a reason, every call to the one server that is left in peace must be answered, and memory must stay flat.
// Twenty seconds; half an hour with --long.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heldBy, overHttp, start, WATCHED } from './_client.mjs';

const SECONDS = process.argv.includes('--long') ? 1_800 : 20;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const legacy = here('../test/fixtures/legacy-server.mjs');
const bad = here('../test/fixtures/bad-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const config = join(folder, 'atoll.json');
const heapFile = join(folder, 'heap.json');
const node = process.execPath;
const steady = { command: node, args: [legacy], timeoutMs: 2_000 };
const mcpServers = {
  calm: { ...steady, args: [legacy, 'calm'], timeoutMs: 15_000 },
  steady,
  shaky: { ...steady, env: { FIXTURE_NAME: 'shaky' } },
  flood: { command: node, args: [bad, 'flood'], timeoutMs: 2_000 },
  dead: { command: node, args: [bad, 'dead'] },
};
writeFileSync(config, JSON.stringify({ mcpServers }));
const flags = ['--no-builtin', '--http', '--port', '0', '--config', config, '--data-dir', folder];
const program = start([...WATCHED, here('../dist/cli.js'), ...flags], { env: { HEAP_FILE: heapFile } });
process.on('exit', () => {
  program.stop();
  rmSync(folder, { recursive: true, force: true });
});
const url = await program.url;
const { pid } = program.child;
const tally = { answered: 0, refused: 0, silent: 0 };
const peace = { answered: 0, not: 0 };
const reasons = {};
const end = Date.now() + SECONDS * 1000;
const CALLS = [
  'steady_echo',
  'shaky_echo',
  'shaky_echo',
  'shaky_hang',
  'shaky_crash',
  'flood_noise',
  'dead_x',
  'steady_steps',
];

const clients = [...Array.from({ length: 8 }, (_, index) => client(index)), calmClient(), calmClient()];
await pause(3_000);
const before = await heldMb();
const samples = [];
await Promise.all([...clients, killing(), sampling()]);
const growth = (await heldMb()) - before;
const third = Math.floor(samples.length / 3);
const [early, late] = [median(samples.slice(0, third)), median(samples.slice(-third))];

const calls = tally.answered + tally.refused + tally.silent;
console.log(
  `${calls} calls: ${tally.answered} answered, ${tally.refused} refused with a reason, ${tally.silent} neither; ${growth.toFixed(0)} MB more`,
);
console.log(
  `${samples.length} samples of memory after a collection: ${early.toFixed(0)} MB in the first third, ${late.toFixed(0)} MB in the last`,
);
console.log(`${peace.answered} calls to the server left in peace were answered, ${peace.not} were not`);
for (const [reason, count] of Object.entries(reasons).sort(([, a], [, b]) => b - a))
  console.log(`${count} × ${reason}`);
figure('calls that were neither answered nor refused', tally.silent, 0);
figure('calls to a healthy server that were not answered', peace.not, 0);
figure('MB more under chaos', growth, 40);
figure('memory in the last third over that in the first', late / early, 1.1);
figure('servers running at the end', servers().length, Object.keys(mcpServers).length);
process.exit(0);

async function client(index) {
  const send = await overHttp(url);
  for (let turn = index; Date.now() < end; turn++) {
    const name = turn % 40 === 0 ? CALLS[3 + (turn % 2)] : CALLS[turn % CALLS.length];
    // Now and then only: a server that crashes on every third call is never up again.
    if (name === 'shaky_hang' && turn % 16 !== 3) continue;
    if (name === 'shaky_crash' && turn % 48 !== 4) continue;
    const late = pause(20_000).then(() => undefined);
    const answer = await Promise.race([
      send('tools/call', { name, arguments: { text: String(turn) } }).catch(() => undefined),
      late,
    ]);
    if (answer?.result) tally.answered++;
    else if (answer?.error?.message) refused(answer.error.message);
    else tally.silent++;
  }
}

async function calmClient() {
  const send = await overHttp(url);
  for (let turn = 0; Date.now() < end; turn++) {
    const text = String(turn);
    const answer = await send('tools/call', { name: 'calm_echo', arguments: { text } }).catch(() => undefined);
    if (answer?.result?.content?.[0]?.text === text) peace.answered++;
    else peace.not++;
    await pause(20);
  }
}

function refused(reason) {
  tally.refused++;
  const kind = reason.replace(/\d+/g, 'n');
  reasons[kind] = (reasons[kind] ?? 0) + 1;
}

/** Ends a server from outside, or stops it without a word. */
async function killing() {
  while (Date.now() < end) {
    await pause(1_500);
    const own = servers().filter(({ name }) => name !== 'calm');
    const victim = own[Math.floor(Math.random() * own.length)]?.id;
    try {
      if (victim) process.kill(victim, Math.random() < 0.5 ? 'SIGKILL' : 'SIGSTOP');
    } catch {
      // It was gone already.
    }
  }
}

/** Servers only: the process that watches them is not an upstream. */
function servers() {
  const rows = execFileSync('ps', ['-eo', 'pid,ppid,args'])
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows
    .filter(([, parent, , script]) => Number(parent) === pid && script?.endsWith('-server.mjs'))
    .map(([child, , , , name]) => ({ id: Number(child), name }));
}

async function sampling() {
  while (Date.now() < end) {
    samples.push(await heldMb());
    await pause(SECONDS * 10);
  }
}

/** What is resident after the garbage was collected. */
async function heldMb() {
  return (await heldBy(pid, heapFile)).rss / 2 ** 20;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function figure(name, value, limit) {
  console.log(
    JSON.stringify({
      bench: `aggregator: ${name}`,
      value: Math.round(value * 100) / 100,
      limit,
      holds: value <= limit,
    }),
  );
}
