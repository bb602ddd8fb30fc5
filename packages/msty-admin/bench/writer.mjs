// How much a writer is slowed while its database is read. It writes at the pace of a busy chat; the same readings of another
// database beside it show what the machine alone costs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMstyServer } from '../dist/index.js';
import { caller, median, rounded, studioHome } from './_studio.mjs';

const ROUNDS = 12;
const LIMIT = 1.05;

const mine = studioHome({ messages: 20_000, wal: true });
const other = studioHome({ messages: 20_000, wal: true });
const servers = [mine, other].map(({ home }) => createMstyServer({ home, dataDir: join(home, 'atoll') }));
const [readMine, readOther] = servers.map(caller);
const writer = spawn(process.execPath, [fileURLToPath(new URL('_writer.mjs', import.meta.url)), mine.path], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
const times = { alone: [], elsewhere: [], here: [] };
for (let round = -1; round < ROUNDS; round++) {
  for (const [kind, read] of [
    ['alone', undefined],
    ['elsewhere', readOther],
    ['here', readMine],
  ]) {
    const time = await window(read);
    if (round >= 0) times[kind].push(time);
  }
}
writer.stdin.end();
await once(writer, 'exit');
for (const server of servers) await server.close();
mine.remove();
other.remove();

// Pairs of windows that follow each other share the weather of the machine.
const against = (kind) => median(times.here.map((time, round) => time / times[kind][round]));
const ratio = against('elsewhere');
console.log(
  JSON.stringify({
    bench: 'msty-admin/writer',
    transaction_us: rounded(median(times.here)),
    ratio_to_reading_elsewhere: rounded(ratio),
    ratio_to_no_reading: rounded(against('alone')),
    target_ratio: LIMIT,
    holds: ratio < LIMIT,
  }),
);

/** One window of writing, with readings during it or none: µs for a transaction, in the middle. */
async function window(read) {
  writer.stdin.write('go\n');
  const done = lines.next();
  let isOver = false;
  done.then(() => {
    isOver = true;
  });
  while (read && !isOver) {
    await read('read_msty_database', { query_type: 'custom', table_name: 'messages', limit: 50 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Number((await done).value);
}
