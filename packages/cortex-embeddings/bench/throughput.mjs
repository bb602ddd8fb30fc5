// Texts per CPU second: the embedder, the bare session it is made of, and the pipeline of @huggingface/transformers in q8.
// One thread here, as in the bare session; the pipeline as its users have it, one text a call and eight.
import { setTimeout } from 'node:timers/promises';
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

const ROUNDS = 10;
const sets = { short: shortTexts(128), long: longTexts(8) };
const embedder = createEmbedder({ workers: 1, modelDir });
// The embedder itself keeps nothing, so every round computes.
const ours = (texts) => embedder.embed(texts, { priority: 'bulk' });
await ours(sets.short);

const session = await bareSession(graphFile());
const bare = async (texts) => {
  for (const text of texts) await session(text);
};
for (const [name, texts] of Object.entries(sets)) await compare(name, texts, 'bare', bare, 0.9);

// Loaded only now: its threads go on waiting in a loop after each run, and everything beside it would pay for that.
const pipeline = await otherPipeline();
if (!pipeline) console.log('transformers: not measured, its model cannot be fetched here');
const inBatchesOf = (size) => async (texts) => {
  for (let i = 0; i < texts.length; i += size) await pipeline(texts.slice(i, i + size));
};
for (const [name, texts] of pipeline ? Object.entries(sets) : []) {
  await compare(name, texts, 'transformers', inBatchesOf(1), 1.25);
  await compare(name, texts, 'transformers_by_8', inBatchesOf(8), 1.25);
}
await embedder.close();

/** Turn by turn and each first in every other round, so that a busy moment of the machine meets both. */
async function compare(name, texts, otherName, other, target) {
  const rates = { ours: [], other: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [
      ['ours', ours],
      ['other', other],
    ];
    for (const [who, work] of round % 2 === 0 ? turns : turns.reverse()) {
      await setTimeout(20);
      await work(texts.slice(0, 2));
      rates[who].push(await perCpuSecond(texts.length, () => work(texts)));
    }
  }
  const ratio = median(rates.ours.map((rate, round) => rate / rates.other[round]));
  const figures = { ours: median(rates.ours), [otherName]: median(rates.other), ratio, target, holds: ratio >= target };
  report(`throughput-${name}-${otherName}`, figures);
}
