// A thousand clients that begin a session and go away without a word: what they leave behind in processes, and in memory
// once the garbage was collected.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { heldBy, overHttp, start, WATCHED } from './_client.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const config = join(folder, 'atoll.json');
writeFileSync(config, JSON.stringify({ mcpServers: { up: { command: process.execPath, args: [here('_echo.mjs')] } } }));
const flags = ['--no-builtin', '--http', '--port', '0', '--config', config, '--data-dir', folder];
const heapFile = join(folder, 'heap.json');
const program = start([...WATCHED, here('../dist/cli.js'), ...flags], { env: { HEAP_FILE: heapFile } });
process.on('exit', () => {
  program.stop();
  rmSync(folder, { recursive: true, force: true });
});
const { pid } = program.child;
const url = await program.url;
await abandoned(100);
await settled();
const [memory, processes] = [await heldMb(), count()];
await abandoned(1000);
await settled();
figure('MB more after 1000 abandoned sessions', (await heldMb()) - memory, 30);
figure('processes more after 1000 abandoned sessions', count() - processes, 0);
process.exit(0);

async function heldMb() {
  return (await heldBy(pid, heapFile)).rss / 2 ** 20;
}

async function abandoned(sessions) {
  for (let left = sessions; left > 0; left -= 20) {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const send = await overHttp(url);
        await send('tools/list', {});
        send.hangUp();
      }),
    );
  }
}

function settled() {
  return new Promise((resolve) => setTimeout(resolve, 2_000));
}

function count() {
  const isChild = (name) => {
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name)).length;
}

function figure(name, value, limit) {
  console.log(`${name}: ${value.toFixed(1)} (at most ${limit})`);
  console.log(
    JSON.stringify({ bench: `aggregator: ${name}`, value: Math.round(value * 10) / 10, limit, holds: value <= limit }),
  );
}
