// Embeddings in OpenAI's form: any program that takes a base URL works, and nothing leaves the machine.
import assert from 'node:assert/strict';
import { serve } from './_atoll.mjs';

const { url, close } = await serve('cortex-embeddings');
const answer = await fetch(new URL('/v1/embeddings', url), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'all-MiniLM-L6-v2', input: ['harbour', 'port'] }),
});
assert.equal(answer.status, 200);
const { data, usage } = await answer.json();
const cosine = data[0].embedding.reduce((sum, value, at) => sum + value * data[1].embedding[at], 0);
assert.ok(cosine > 0.5);
console.log(`harbour · port = ${cosine.toFixed(3)}, ${usage.total_tokens} tokens`);
await close();
