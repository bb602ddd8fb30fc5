// compare_checkpoints of two checkpoints of 1 GB, all of whose tensors differ, against reading both files once with their
// hashes checked, and against reading alone; and how much memory it takes.
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTensorDirectoryServer } from '../dist/index.js';
import { report, start, temporaryFolder } from './_program.mjs';

const TENSORS = 8;
const VALUES = 31_250_000;
const folder = temporaryFolder();
const dataDir = join(folder, 'data');
for (const [name, step] of [
  ['v1', 1],
  ['v2', 1.0001],
])
  await importCheckpoint(name, step);

const program = await start(dataDir);
await program.call('compare_checkpoints', { a: 'v1', b: 'v2', pattern: 'layer0' });
const compared = [];
const checked = [];
const read = [];
for (let i = 0; i < 3; i++) {
  compared.push(
    await timed(async () => {
      const { counts } = await program.call('compare_checkpoints', { a: 'v1', b: 'v2' });
      if (counts.changed !== TENSORS) throw new Error('not what was asked for');
    }),
  );
  checked.push(await timed(() => readAll(true)));
  read.push(await timed(() => readAll(false)));
}
const memory = program.peakBytes() / 2 ** 20;
await program.stop();
const ratio = Math.min(...compared) / Math.min(...checked);
report({
  bench: 'tensor-directory/compare',
  checkpoint_gb: 1,
  compare_ms: Math.min(...compared),
  read_checked_ms: Math.min(...checked),
  read_ms: Math.min(...read),
  ratio,
  ratio_to_unchecked: Math.min(...compared) / Math.min(...read),
  target_ratio: 1.5,
  memory_mb: memory,
  target_memory_mb: 200,
  holds: ratio <= 1.5 && memory <= 200,
});

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Two files at a time, as the comparison reads them. */
async function readAll(hashed) {
  const root = join(dataDir, 'blobs/tensors');
  const files = readdirSync(root, { recursive: true })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile());
  const one = async (path) => {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path, { highWaterMark: 256 << 10 })) if (hashed) hash.update(piece);
  };
  for (let i = 0; i < files.length; i += 2) await Promise.all(files.slice(i, i + 2).map(one));
}

async function importCheckpoint(name, step) {
  const path = join(folder, `${name}.safetensors`);
  const header = {};
  for (let i = 0; i < TENSORS; i++)
    header[`layer${i}`] = { dtype: 'F32', shape: [VALUES], data_offsets: [i * VALUES * 4, (i + 1) * VALUES * 4] };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const file = openSync(path, 'w');
  writeSync(file, Buffer.concat([length, json]));
  for (let i = 0; i < TENSORS; i++)
    writeSync(
      file,
      new Uint8Array(Float32Array.from({ length: VALUES }, (_, j) => (i + 1) * ((j * step) % 97) - 40).buffer),
    );
  closeSync(file);
  const server = createTensorDirectoryServer({ dataDir, importRoot: [folder] });
  await (await server.service()).importTensors({ path });
  await server.close();
  rmSync(path);
}
