// How often `search_tools` finds the tool for a request in plain words, over all tools of our own servers: by words alone
// (the embedder is out of reach) and with meaning beside them. A tool counts as found at its place among the first five.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overStdio, start } from './_client.mjs';
import { REQUESTS } from './_requests.mjs';

const NO_CALLER = {
  CORTEX_BACKEND: 'openai',
  CORTEX_MODEL: 'none',
  CORTEX_OPENAI_URL: 'http://127.0.0.1:9/v1',
  CORTEX_MODEL_DIMENSIONS: '384',
};
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
const running = [];
process.on('exit', () => {
  for (const { stop } of running) stop();
  rmSync(folder, { recursive: true, force: true });
});

const words = await measure('words', NO_CALLER);
const hybrid = await measure('hybrid', {});
figure('tools found first, by words alone', words.first, 0.4);
figure('tools found among five, by words alone', words.five, 0.7);
figure('tools found first, by words and meaning', hybrid.first, 0.65);
figure('tools found among five, by words and meaning', hybrid.five, 0.9);
process.exit(0);

async function measure(name, env) {
  const program = start([cli, '--data-dir', join(folder, name)], { env });
  running.push(program);
  const send = await overStdio(program);
  const { result } = await send('tools/list', {});
  const known = new Set(result.tools.map((tool) => tool.name));
  // The first searches are answered by words while the model loads.
  const isReady = async () => {
    const answer = await send('tools/call', { name: 'search_tools', arguments: { query: 'anything', limit: 1 } });
    return answer.result.structuredContent.ranked_by === 'words and meaning';
  };
  while (name === 'hybrid' && !(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100));
  let [first, five] = [0, 0];
  for (const [request, ...wanted] of REQUESTS) {
    for (const tool of wanted) if (!known.has(tool)) throw new Error(`there is no tool ${tool}`);
    const answer = await send('tools/call', { name: 'search_tools', arguments: { query: request, limit: 5 } });
    const found = answer.result.structuredContent.tools.map((tool) => tool.name);
    const place = found.findIndex((tool) => wanted.includes(tool));
    if (place === 0) first++;
    if (place >= 0) five++;
    else console.log(`${name}: "${request}" finds ${found.join(', ')}, not ${wanted.join(' or ')}`);
    if (place > 0) console.log(`${name}: "${request}" finds ${wanted.join(' or ')} at ${place + 1}, after ${found[0]}`);
  }
  const share = (count) => count / REQUESTS.length;
  console.log(`${name}: ${first} of ${REQUESTS.length} first, ${five} among five`);
  return { first: share(first), five: share(five) };
}

function figure(name, value, target) {
  const rounded = Math.round(value * 1000) / 1000;
  console.log(JSON.stringify({ bench: `aggregator: ${name}`, value: rounded, target, holds: value >= target }));
}
