// Which of these sentences means most nearly the same? A real model, on this machine.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { call, close } = await connect('cortex-embeddings');
const texts = ['The invoice is due on Friday.', 'A cat sleeps in the sun.', 'Our ferry runs all winter.'];
const { scores, ranking } = await call('embedding.similarity', { query: 'Is there a boat in January?', texts });
console.log(texts.map((text, at) => `${scores[at].toFixed(3)}  ${text}`).join('\n'));
assert.equal(scores.indexOf(Math.max(...scores)), 2);
console.log(`ranking: ${JSON.stringify(ranking)}`);

const { embedding, metadata } = await call('embedding.generate', { text: texts[2] });
console.log(`${metadata.model_name} gives ${embedding.length} numbers`);
await close();
