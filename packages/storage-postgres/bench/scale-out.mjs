// One aggregator, then two, on one database: how many more calls two of them answer. The store is the limit, not the
// processors of this machine: every answer of the database is held back a little, as a loaded or distant one would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { overHttp } from '../../../apps/aggregator/bench/_client.mjs';
import { makePostgres } from './_postgres.mjs';

const HELD_BACK_MS = 100;
const CLIENTS = 48;
const MEASURED_MS = 4_000;
const ROUNDS = 3;

const program = fileURLToPath(new URL('../../../apps/aggregator/dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'atoll-scale-'));
const server = await makePostgres();
const slow = await slowDoor(new URL(server.url));
const processes = [];
try {
  const urls = [await start(0), await start(1)];
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const one = await answered(urls.slice(0, 1));
    ratios.push((await answered(urls)) / one);
  }
  const gain = Number(ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)].toFixed(2));
  const target = 'two processes answer at least 1.7 times the calls of one';
  console.log(JSON.stringify({ bench: 'storage-postgres/scale-out', gain, target, holds: gain >= 1.7 }));
} finally {
  for (const child of processes) child.kill('SIGKILL');
  slow.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** Calls answered in the time, by as many clients as ever, spread evenly. */
async function answered(urls) {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => overHttp(urls[n % urls.length])));
  const ask = (client) => client('tools/call', { name: 'list_tensors', arguments: {} });
  await Promise.all(clients.map(ask));
  const end = performance.now() + MEASURED_MS;
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const { result } = await ask(client);
        if (!result || result.isError) throw new Error('a call failed');
        count += 1;
      }
    }),
  );
  return count;
}

async function start(number) {
  const args = ['--http', '--port', '0', '--data-dir', join(folder, String(number)), '--storage', slow.url];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  processes.push(child);
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1];
    if (!url) continue;
    child.stderr.resume();
    return url;
  }
  throw new Error('the aggregator ended before it listened');
}

/** The database through a proxy that delays every answer. */
async function slowDoor({ port }) {
  const proxy = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    near.pipe(far);
    far.on('data', (bytes) => setTimeout(() => near.write(bytes), HELD_BACK_MS));
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { url: `postgres://atoll@127.0.0.1:${proxy.address().port}/postgres`, close: () => proxy.close() };
}
