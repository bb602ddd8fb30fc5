// From the start of a process to its first vector, graph on disk: the embedder against the bare session.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createEmbedder } from '../dist/index.js';
import { bareSession, graphFile, median, modelDir, report } from './_tools.mjs';

const kind = process.argv[2];
if (kind === 'ours') {
  await createEmbedder({ modelDir }).embed(['hello world']);
  process.exit();
} else if (kind === 'bare') {
  await (await bareSession(graphFile()))('hello world');
  process.exit();
}
const first = createEmbedder({ modelDir });
await first.load();
await first.close();
const times = { ours: [], bare: [] };
for (let round = 0; round < 7; round++) {
  for (const each of ['ours', 'bare']) {
    const started = performance.now();
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), each], { stdio: 'inherit' });
    times[each].push(performance.now() - started);
  }
}
const [ours, bare] = [median(times.ours), median(times.bare)];
report('cold-start', { ours_ms: ours, bare_ms: bare, ratio: ours / bare, target: 1.5, holds: ours / bare <= 1.5 });
