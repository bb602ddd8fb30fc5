// Resident memory with two threads, and whether different texts make it grow: 4,000 of them, or 20,000 with --long.
import { createEmbedder, EmbeddingService } from '../dist/index.js';
import { modelDir, report, shortTexts } from './_tools.mjs';

const TEXTS = process.argv.includes('--long') ? 20_000 : 4_000;
const STEP = 200;
const embedder = createEmbedder({ workers: 2, modelDir });
const service = new EmbeddingService({ generator: embedder, rateLimit: { perMinute: 0 } });
const megabytes = () => process.memoryUsage.rss() / 1e6;
let early = 0;
for (let done = 0; done < TEXTS; done += STEP) {
  await service.batch(shortTexts(STEP, done));
  if (done === TEXTS / 4) early = megabytes();
}
const growth = megabytes() / early - 1;
report('memory', { texts: TEXTS, rss_mb: megabytes(), early_mb: early, growth, target: 0.1, holds: growth <= 0.1 });
await embedder.close();
