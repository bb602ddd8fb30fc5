// run_model on a 1000×1000 tensor, output stored and all, against the sandbox alone on the same file. No two outputs are
// the same: one that is stored already would cost less.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { createTensorDirectoryServer } from '../dist/index.js';
import { report, temporaryFolder } from './_program.mjs';

const CODE = `import numpy as np
import time
def predict(d):
    return np.clip(d["image"] * 1.2 + 10 + time.perf_counter_ns() % 1000 / 1000, 0, 255)`;
const dataDir = join(temporaryFolder(), 'data');
const server = createTensorDirectoryServer({ dataDir });
const service = await server.service();
const image = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => Math.random() * 255));
await service.uploadTensor({ name: 'image', description: '', data: image });
await service.uploadModel({ name: 'enhancer', description: '', code: CODE, language: 'python' });
const { sha256 } = await service.tensorResource('image');
const npy = join(dataDir, 'blobs/tensors', sha256.slice(0, 2), `${sha256}.npy`);

const runtime = createPythonRuntime({ readableFolders: [join(dataDir, 'blobs')], preload: ['numpy'] });
const alone = [];
const through = [];
for (let i = 0; i < 40; i++) {
  alone.push(await timed(predictAlone));
  through.push(await timed(() => service.runModel({ model: 'enhancer', inputs: ['image'] })));
}
await runtime.close();
await server.close();
// The best of each: whatever else the machine does only adds.
const ratio = Math.min(...through) / Math.min(...alone);
report({
  bench: 'tensor-directory/run-model',
  run_model_ms: Math.min(...through),
  sandbox_ms: Math.min(...alone),
  ratio,
  target_ratio: 1.5,
  holds: ratio <= 1.5,
});

async function predictAlone() {
  const session = await runtime.open({ purpose: 'prediction' });
  const { ok, failure } = await session.predict(CODE, { image: { npy } });
  await session.close();
  if (!ok) throw new Error(failure.message);
}

async function timed(work) {
  // A runtime gets its next session ready in the background; that belongs to neither.
  await setTimeout(250);
  const started = performance.now();
  await work();
  return performance.now() - started;
}
