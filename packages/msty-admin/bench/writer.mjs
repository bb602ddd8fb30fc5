// How much a writer is slowed while its database is read. It writes at the pace of a busy chat. Read as often as a busy client
// asks, its transactions take as long as with no reader at all; read one call after another, they take as long as when another
// database is read in the same way, which costs the machine as much but shares nothing with the writer. Both must hold.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMstyServer } from '../dist/index.js';
import { caller, median, rounded, studioHome } from './_studio.mjs';

const ROUNDS = 12;
const LIMIT = 1.05;
/** Between two calls of a client that asks four times a second. */
const CLIENT_MS = 250;
const HARDLY_MS = 5;

const mine = studioHome({ messages: 20_000, wal: true });
const other = studioHome({ messages: 20_000, wal: true });
const servers = [mine, other].map(({ home }) => createMstyServer({ home, dataDir: join(home, 'atoll') }));
const [readMine, readOther] = servers.map(caller);
const writer = spawn(process.execPath, [fileURLToPath(new URL('_writer.mjs', import.meta.url)), mine.path], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
const times = { alone: [], client: [], elsewhere: [], here: [] };
for (let round = -1; round < ROUNDS; round++) {
  for (const [kind, read, pauseMs] of [
    ['alone'],
    ['client', readMine, CLIENT_MS],
    ['elsewhere', readOther, HARDLY_MS],
    ['here', readMine, HARDLY_MS],
  ]) {
    const time = await window(read, pauseMs);
    if (round >= 0) times[kind].push(time);
  }
}
writer.stdin.end();
await once(writer, 'exit');
for (const server of servers) await server.close();
mine.remove();
other.remove();

// Pairs of windows that follow each other share the weather of the machine.
const ratio = (kind, floor) => rounded(median(times[kind].map((time, round) => time / times[floor][round])));
const client_ratio = ratio('client', 'alone');
const busy_ratio = ratio('here', 'elsewhere');
console.log(
  JSON.stringify({
    bench: 'msty-admin/writer',
    transaction_us: rounded(median(times.here)),
    client_ratio_to_no_reading: client_ratio,
    busy_ratio_to_reading_elsewhere: busy_ratio,
    busy_ratio_to_no_reading: ratio('here', 'alone'),
    target_ratio: LIMIT,
    holds: client_ratio <= LIMIT && busy_ratio <= LIMIT,
  }),
);

/**
 * One window of writing, with readings during it or none: µs for a transaction, in the middle. The mean would tell only whether
 * one of the writer's own checkpoints fell into the window.
 */
async function window(read, pauseMs) {
  writer.stdin.write('go\n');
  const done = lines.next();
  let isOver = false;
  done.then(() => {
    isOver = true;
  });
  while (read && !isOver) {
    await read('read_msty_database', { query_type: 'custom', table_name: 'messages', limit: 50 });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return Number((await done).value);
}
