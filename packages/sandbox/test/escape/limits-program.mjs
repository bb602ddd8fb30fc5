/**
 * Runs hostile programs one after another, each beside a session that must not suffer, and prints what became of them as
 * JSON. Counts the blocks of the temporary folder, which is a file system of its own here.
 */
import { statfsSync } from 'node:fs';
import { createPythonRuntime } from '../../dist/index.js';

const { bubblewrap, limits, attacks } = JSON.parse(process.argv[2]);
const folder = process.env.TMPDIR;
const used = () => {
  const { bsize, blocks, bfree } = statfsSync(folder);
  return (blocks - bfree) * bsize;
};
const faults = [];
process.on('unhandledRejection', (error) => faults.push(String(error)));
process.on('uncaughtException', (error) => faults.push(String(error)));

const runtime = createPythonRuntime({ bubblewrap, preload: [] });
const capability = await runtime.probe();
if (!capability.available) process.exit(1);
const outcomes = {};
for (const [name, code] of Object.entries(attacks)) {
  outcomes[name] = await attack(code).catch((error) => ({ ok: true, stdout: '', error: String(error) }));
}
await runtime.close();
for (let look = 0; look < 200 && used() > 1 << 20; look++) await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(
  JSON.stringify({ walls: capability.walls, reason: capability.reason, outcomes, left: used(), faults }),
);
process.exit(0);

async function attack(code) {
  const [hostile, other] = [await runtime.open({ limits }), await runtime.open()];
  await other.run('x = 42');
  const before = used();
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, used() - before);
  }, 5);
  const { ok, stdout, failure } = await hostile.run(code);
  const beside = await other.run(
    'import threading; t = threading.Thread(target=print, args=(x,)); t.start(); t.join()',
  );
  clearInterval(look);
  await Promise.all([hostile.close(), other.close()]);
  return { ok, stdout: stdout.slice(-200), failure, most: Math.max(most, used() - before), beside };
}
