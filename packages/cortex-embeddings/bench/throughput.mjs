// Texts per CPU second: the embedder, the bare session it is made of, and the pipeline of @huggingface/transformers in q8.
// One thread here, as in the bare session; the pipeline as its users have it, one text a call and eight.
import { createEmbedder } from '../dist/index.js';
import {
  bareSession,
  graphFile,
  longTexts,
  median,
  modelDir,
  otherPipeline,
  perCpuSecond,
  report,
  shortTexts,
} from './_tools.mjs';

const ROUNDS = 9;
const embedder = createEmbedder({ workers: 1, modelDir });
await embedder.embed(shortTexts(128, 1_000_000));
const bare = await bareSession(graphFile());
const pipeline = await otherPipeline();
if (!pipeline) console.log('transformers: not measured, its model cannot be fetched here');
const inBatches = (texts, size) => async () => {
  for (let i = 0; i < texts.length; i += size) await pipeline(texts.slice(i, i + size));
};

for (const [name, texts] of [
  ['short', shortTexts(128)],
  ['long', longTexts(8)],
]) {
  // The embedder itself keeps nothing, so every round computes.
  const ways = {
    ours: () => embedder.embed(texts, { priority: 'bulk' }),
    bare: async () => {
      for (const text of texts) await bare(text);
    },
    ...(pipeline && { transformers: inBatches(texts, 1), transformers_by_8: inBatches(texts, 8) }),
  };
  const rates = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  // Turn by turn, so that a busy moment of the machine meets them all.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, work] of Object.entries(ways)) rates[way].push(await perCpuSecond(texts.length, work));
  }
  for (const way of Object.keys(ways).slice(1)) {
    const target = way === 'bare' ? 0.9 : 1.25;
    const ratio = median(rates.ours.map((ours, round) => ours / rates[way][round]));
    const figures = { ours: median(rates.ours), [way]: median(rates[way]), ratio, target, holds: ratio >= target };
    report(`throughput-${name}-${way}`, figures);
  }
}
await embedder.close();
