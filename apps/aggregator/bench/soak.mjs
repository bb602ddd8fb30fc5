// Clients call without pause while upstreams are killed, hang and come back. Every call must be answered or refused
// with a reason, and memory must stay flat. Twenty seconds; half an hour with --long.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overHttp, rssMb, start } from './_client.mjs';

const SECONDS = process.argv.includes('--long') ? 1_800 : 20;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const legacy = here('../test/fixtures/legacy-server.mjs');
const bad = here('../test/fixtures/bad-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const config = join(folder, 'atoll.json');
const node = process.execPath;
const steady = { command: node, args: [legacy], timeoutMs: 2_000 };
const mcpServers = {
  steady,
  shaky: { ...steady, env: { FIXTURE_NAME: 'shaky' } },
  flood: { command: node, args: [bad, 'flood'], timeoutMs: 2_000 },
  dead: { command: node, args: [bad, 'dead'] },
};
writeFileSync(config, JSON.stringify({ mcpServers }));
const program = start([
  here('../dist/cli.js'),
  '--no-builtin',
  '--http',
  '--port',
  '0',
  '--config',
  config,
  '--data-dir',
  folder,
]);
process.on('exit', () => {
  program.stop();
  rmSync(folder, { recursive: true, force: true });
});
const url = await program.url;
const { pid } = program.child;
const tally = { answered: 0, refused: 0, silent: 0 };
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

const clients = Array.from({ length: 8 }, (_, index) => client(index));
await pause(3_000);
const before = rssMb(pid);
const chaos = killing();
await Promise.all([...clients, chaos]);
const growth = rssMb(pid) - before;

const calls = tally.answered + tally.refused + tally.silent;
console.log(
  `${calls} calls: ${tally.answered} answered, ${tally.refused} refused with a reason, ${tally.silent} neither; ${growth.toFixed(0)} MB more`,
);
figure('calls that were neither answered nor refused', tally.silent, 0);
figure('MB more under chaos', growth, 40);
process.exit(0);

async function client(index) {
  const send = await overHttp(url);
  for (let turn = index; Date.now() < end; turn++) {
    const name = turn % 40 === 0 ? CALLS[3 + (turn % 2)] : CALLS[turn % CALLS.length];
    if (name === 'shaky_hang' && turn % 16 !== 3) continue;
    const late = pause(20_000).then(() => undefined);
    const answer = await Promise.race([
      send('tools/call', { name, arguments: { text: String(turn) } }).catch(() => undefined),
      late,
    ]);
    if (answer?.result) tally.answered++;
    else if (answer?.error?.message) tally.refused++;
    else tally.silent++;
  }
}

/** Ends the shaky server from outside, now and then without a word. */
async function killing() {
  while (Date.now() < end) {
    await pause(1_500);
    // Servers only: what watches over them is no upstream.
    const rows = execFileSync('ps', ['-eo', 'pid,ppid,args'])
      .toString()
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    const own = rows
      .filter(([, parent, , script]) => Number(parent) === pid && script?.endsWith('-server.mjs'))
      .map(([child]) => Number(child));
    const victim = own[Math.floor(Math.random() * own.length)];
    try {
      if (victim) process.kill(victim, Math.random() < 0.5 ? 'SIGKILL' : 'SIGSTOP');
    } catch {
      // It was gone already.
    }
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function figure(name, value, limit) {
  console.log(
    JSON.stringify({ bench: `aggregator: ${name}`, value: Math.round(value * 10) / 10, limit, holds: value <= limit }),
  );
}
