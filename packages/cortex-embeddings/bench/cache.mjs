// A text that is known against one that is not, and how long anything else waits while a large batch is computed.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEmbedder, EmbeddingService } from '../dist/index.js';
import { longTexts, median, modelDir, report, shortTexts } from './_tools.mjs';

const embedder = createEmbedder({ workers: 2, modelDir });
const service = new EmbeddingService({
  generator: embedder,
  limits: { maxBatchSize: 500 },
  cacheSize: 2_000,
  rateLimit: { perMinute: 0 },
});
await service.batch(shortTexts(64, 1_000_000));

for (const [name, texts] of [
  ['short', shortTexts(300)],
  ['long', longTexts(40)],
]) {
  const misses = [];
  const hits = [];
  for (const text of texts) misses.push(await timed(() => service.generate(text)));
  for (const text of texts) hits.push(await timed(() => service.generate(text)));
  const [miss, hit] = [median(misses), median(hits)];
  report(`cache-${name}`, { miss_us: miss, hit_us: hit, ratio: miss / hit, target: 100, holds: miss / hit >= 100 });
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
await service.batch(longTexts(500, 1_000));
delay.disable();
const p99 = delay.percentile(99) / 1e6;
report('event-loop', { p50_ms: delay.percentile(50) / 1e6, p99_ms: p99, target_ms: 20, holds: p99 < 20 });
await embedder.close();

async function timed(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) * 1000;
}
