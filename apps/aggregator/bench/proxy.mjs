// The same echo call through the raw floor, through Atoll and through its peers: CPU of the proxy per call, calls per
// second with 32 at a time. Everything in one run, in turns, so that a noisy machine is noisy for all.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMs, ignoreOutput, overHttp, overSse, overStdio, rssMb, start } from './_client.mjs';
import { peers } from './_peers.mjs';

const ROUNDS = 9;
const PEER_ROUNDS = 3;
const CALLS = process.argv.includes('--long') ? 8_000 : 2_000;
const PEER_CALLS = process.argv.includes('--long') ? 4_000 : 600;
const AT_ONCE = 32;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const echo = here('_echo.mjs');
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const config = join(folder, 'atoll.json');
writeFileSync(config, JSON.stringify({ mcpServers: { up: { command: process.execPath, args: [echo] } } }));
const atoll = [here('../dist/cli.js'), '--no-builtin', '--config', config, '--data-dir', folder];

const systems = [
  { name: 'floor stdio', args: [here('_floor.mjs'), 'stdio', process.execPath, echo], tool: 'up_echo', isPipe: true },
  { name: 'atoll stdio', args: atoll, tool: 'up_echo', isPipe: true },
  { name: 'floor http', args: [here('_floor.mjs'), 'http', process.execPath, echo], tool: 'up_echo' },
  { name: 'atoll http', args: [...atoll, '--http', '--port', '0'], tool: 'up_echo' },
  ...(process.argv.includes('--no-peers') ? [] : await peers(process.execPath, echo)),
];
process.on('exit', () => {
  for (const { stop } of systems) stop?.();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
for (const system of systems) await open(system);
for (let round = 0; round < ROUNDS; round++) {
  for (const system of systems)
    if (system.call && (isOurs(system) || round < PEER_ROUNDS))
      await within(30_000, measure(system)).catch(() => leaveOut(system, 'it stopped answering'));
}

const rows = systems
  .filter(({ cpu }) => cpu?.length > 0)
  .map((system) => ({
    name: system.name,
    cpu: median(system.cpu),
    rate: Math.max(...system.rates),
    idle: system.idle,
  }));
const of = (name) => rows.find((row) => row.name === name);
for (const { name, cpu, rate, idle } of rows) {
  console.log(
    `${name.padEnd(14)} ${cpu.toFixed(3)} ms CPU per call | ${rate.toFixed(0).padStart(6)} calls/s at ${AT_ONCE} | ${idle.toFixed(0)} MB idle`,
  );
}
const best = Math.max(0, ...rows.filter((row) => !isOurs(row)).map(({ rate }) => rate));
figure('http cpu per call over the floor', overFloor('http'), 1.6);
figure('stdio cpu per call over the floor', overFloor('stdio'), 1.8);
figure('best peer calls per second over ours', best / of('atoll http').rate, 0.5);
figure('idle memory in MB', of('atoll http').idle, 75);
process.exit(0);

/** The median over all rounds: the two of a round run one right after the other, on a machine that is just as busy. */
function overFloor(edge) {
  const [floor, ours] = ['floor', 'atoll'].map((name) => systems.find((system) => system.name === `${name} ${edge}`));
  return median(ours.cpu.map((cpu, round) => cpu / floor.cpu[round]));
}

async function open(system) {
  const running = start(system.args, { url: system.url });
  system.stop = running.stop;
  if (!system.isPipe) ignoreOutput(running);
  try {
    const url = system.isPipe ? undefined : await running.url;
    const connect = () => (system.isPipe ? overStdio(running) : system.isSse ? overSse(url) : overHttp(url));
    const send = await within(25_000, retried(connect));
    system.call = async () => {
      const { result } = await send('tools/call', { name: system.tool, arguments: { text: 'hello' } });
      if (result?.content?.[0]?.text !== 'hello') throw new Error(`${system.name} gave a wrong answer`);
    };
    system.pid = running.child.pid;
    await within(25_000, retried(system.call));
    system.idle = rssMb(system.pid);
    Object.assign(system, { cpu: [], rates: [] });
    await within(30_000, warmedUp(system.call, isOurs(system) ? 2_000 : 300));
  } catch (error) {
    leaveOut(system, error.message);
  }
}

async function warmedUp(call, calls) {
  for (let count = 0; count < calls; count++) await call();
}

function isOurs({ name }) {
  return /^(floor|atoll)/.test(name);
}

function leaveOut(system, why) {
  console.error(`${system.name} is left out: ${why}`);
  system.call = undefined;
  system.cpu = [];
  system.stop();
}

/** Fails when something takes too long: a peer that no longer answers must not stop the rest. */
async function within(ms, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it takes too long')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function measure(system) {
  const before = cpuMs(system.pid, '_echo.mjs');
  const began = performance.now();
  const calls = isOurs(system) ? CALLS : PEER_CALLS;
  let left = calls;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await system.call();
    }),
  );
  system.rates.push(calls / ((performance.now() - began) / 1000));
  system.cpu.push((cpuMs(system.pid, '_echo.mjs') - before) / calls);
}

async function retried(action) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
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

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
