// Python sessions: the cost of a fresh one and of a warm call, a prediction against bare Python on the same mapped file,
// and the memory of the idle parent. Needs a Python (atoll-sandbox setup-python).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPythonRuntime } from '../dist/index.js';
import { barePython, median, report, temporaryFolder, timed } from './_measure.mjs';

const CALLS = 200;
const SESSIONS = 15;
const PREDICTIONS = 15;
const CODE = "import numpy as np\ndef predict(tensors):\n    return np.clip(tensors['image'] * 1.2 + 10, 0, 255)";

const folder = temporaryFolder();
const path = join(folder, 'image.npy');

for (const [preload, most] of [
  [['numpy'], 100],
  [['numpy', 'pandas'], 150],
]) {
  const runtime = createPythonRuntime({ preload, readableFolders: [folder] });
  const { available, reason, walls } = await runtime.probe();
  if (!available) {
    report({ bench: 'sandbox/python', holds: false, reason });
    break;
  }
  const name = preload.at(-1);
  const first =
    name === 'numpy' ? 'import numpy; print(numpy.arange(3).sum())' : 'import pandas; print(pandas.Series([3]).sum())';
  const fresh = [];
  for (let n = 0; n < SESSIONS; n++) {
    let session;
    fresh.push(
      await timed(async () => {
        session = await runtime.open();
        if ((await session.run(first)).stdout !== '3\n') throw new Error('wrong answer');
      }),
    );
    await session.close();
  }
  const fresh_ms = median(fresh);
  report({
    bench: `sandbox/python-fresh-${name}`,
    walls: walls.join('+'),
    fresh_ms,
    target_ms: most,
    holds: fresh_ms <= most,
  });
  // The last session's process is still ending, and would be taken for the reserve.
  await setTimeout(300);
  report({ bench: `sandbox/python-parent-${name}`, ...parentMemory() });
  if (name === 'numpy') await callsAndPredictions(runtime);
  await runtime.close();
}

async function callsAndPredictions(runtime) {
  const session = await runtime.open();
  const warm = [];
  for (let n = 0; n < CALLS; n++) warm.push(await timed(() => session.run('1')));
  const warm_ms = median(warm.slice(20));
  report({ bench: 'sandbox/python-warm-call', warm_ms, target_ms: 1, holds: warm_ms <= 1 });
  await session.close();

  writeImage();
  const cli = join(import.meta.dirname, '../dist/cli.js');
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  const { python } = JSON.parse(execFileSync(process.execPath, [cli, 'setup-python', '--json'], options));
  const bare = barePython(
    python,
    `import numpy as np\npath = ${JSON.stringify(path)}`,
    "np.clip(np.load(path, mmap_mode='r') * 1.2 + 10, 0, 255)",
  );
  const opened = await runtime.open({ purpose: 'prediction' });
  const [floor, open, fresh] = [[], [], []];
  for (let n = 0; n < PREDICTIONS; n++) {
    floor.push(await bare.run());
    open.push(await timed(() => predict(opened)));
    fresh.push(await timed(() => predictAfresh(runtime)));
  }
  bare.close();
  await opened.close();
  const bare_ms = median(floor);
  for (const [bench, times] of [
    ['sandbox/python-predict', open],
    ['sandbox/python-predict-fresh', fresh],
  ]) {
    const sandbox_ms = median(times);
    const ratio = Number((sandbox_ms / bare_ms).toFixed(2));
    report({ bench, bare_ms, sandbox_ms, ratio, target_ratio: 2.5, holds: ratio <= 2.5 });
  }
}

/** Data in, the computation, and data out. */
async function predict(session) {
  const { tensor, failure } = await session.predict(CODE, { image: { npy: path } });
  if (tensor?.data.byteLength !== 8e6) throw new Error(failure?.message);
}

/** The same with a session of its own, from opening to closing. */
async function predictAfresh(runtime) {
  const session = await runtime.open({ purpose: 'prediction' });
  await predict(session);
  await session.close();
}

function writeImage() {
  const text = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000, 1000), }".padEnd(117);
  const header = Buffer.from(`\x93NUMPY\x01\x00v\x00${text}\n`, 'latin1');
  const values = new Float64Array(1e6).map((_, n) => (n * 7) % 255);
  writeFileSync(path, Buffer.concat([header, Buffer.from(values.buffer)]));
}

/** Of the parent, and of the child that it keeps in reserve: what each holds, and what it does not share. */
function parentMemory() {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const processes = all.map((line) => line.trim().split(/\s+/));
  const below = (parent) =>
    processes.filter(([, ppid]) => ppid === parent).flatMap(([pid, , name]) => [{ pid, name }, ...below(pid)]);
  const [parent, reserve] = below(String(process.pid)).filter(({ name }) => name.startsWith('python'));
  const mb = ({ pid }, name) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024);
  };
  return {
    parent_resident_mb: mb(parent, 'Rss'),
    parent_proportional_mb: mb(parent, 'Pss'),
    reserve_private_mb: reserve && mb(reserve, 'Private_Dirty'),
  };
}
