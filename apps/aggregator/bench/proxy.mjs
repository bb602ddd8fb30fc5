// The same echo call through the raw floor, through Atoll and through its peers: CPU of the proxy per call, calls per
// second with 32 at a time. Everything in one run, in turns, so that a noisy machine is noisy for all.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMs, overHttp, overSse, overStdio, rssMb, start } from './_client.mjs';
import { peers } from './_peers.mjs';

const ROUNDS = 3;
const CALLS = process.argv.includes('--long') ? 8_000 : 600;
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
for (let round = 0; round < ROUNDS; round++) for (const system of systems) if (system.call) await measure(system);

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
const best = Math.max(0, ...rows.filter(({ name }) => !/^(floor|atoll)/.test(name)).map(({ rate }) => rate));
figure('http cpu per call over the floor', of('atoll http').cpu / of('floor http').cpu, 1.6);
figure('stdio cpu per call over the floor', of('atoll stdio').cpu / of('floor stdio').cpu, 1.8);
figure('best peer calls per second over ours', best / of('atoll http').rate, 0.5);
figure('idle memory in MB', of('atoll http').idle, 75);
process.exit(0);

async function open(system) {
  const running = start(system.args, { url: system.url });
  system.stop = running.stop;
  try {
    const url = system.isPipe ? undefined : await running.url;
    const connect = () => (system.isPipe ? overStdio(running) : system.isSse ? overSse(url) : overHttp(url));
    const send = await retried(connect);
    system.call = async () => {
      const { result } = await send('tools/call', { name: system.tool, arguments: { text: 'hello' } });
      if (result?.content?.[0]?.text !== 'hello') throw new Error(`${system.name} gave a wrong answer`);
    };
    system.pid = running.child.pid;
    await retried(system.call);
    system.idle = rssMb(system.pid);
    Object.assign(system, { cpu: [], rates: [] });
    for (let count = 0; count < 300; count++) await system.call();
  } catch (error) {
    console.error(`${system.name} is left out: ${error.message}`);
    system.call = undefined;
    running.stop();
  }
}

async function measure(system) {
  const before = cpuMs(system.pid, '_echo.mjs');
  const began = performance.now();
  let left = CALLS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await system.call();
    }),
  );
  system.rates.push(CALLS / ((performance.now() - began) / 1000));
  system.cpu.push((cpuMs(system.pid, '_echo.mjs') - before) / CALLS);
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
