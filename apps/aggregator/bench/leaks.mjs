// What every server keeps of the calls it has answered: memory after garbage collection, in the middle and at the end of a long row of calls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { heldBy, overStdio, start, WATCHED } from './_client.mjs';

const CALLS = process.argv.includes('--long') ? 100_000 : 10_000;
const AT_ONCE = 16;
const PARTS = 6;
const LIMIT_MB = 1;
/** A durable write waits for the disk; a few of them show what they leave as well as many. */
const WRITE_EVERY = 100;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const packaged = (name) => here(`../../../packages/${name}/dist/cli.js`);
const pick = (list, at) => list[at % list.length];
const text = (at) => `sentence ${at % 300} about the sea`;

const tensors = [
  rarely(
    () => ['upload_tensor', { name: 'one', description: 'the same again', tensor_data: [1, 2, 3] }],
    ['list_models'],
  ),
  (at) => ['list_tensors', { filter_by_name_contains: `on${at % 7}`, limit: 10 }],
  () => ['get_tensor', { name_or_uuid: 'one', slice: '0:2' }],
  (at) => ['query_tensor_directory', { prompt: `what is the shape of tensor ${at}` }],
  (at) => ['delete_tensor', { name_or_uuid: `none-${at}` }],
];
const memories = [
  rarely(
    () => ['add_memory', { name: 'tides.csv', text: 'harbour,height\nnorth,2.5\nsouth,3.1\n' }],
    ['list_memories'],
  ),
  (at) => ['search_memory', { query: `north harbour ${at}` }],
  () => ['list_memories', {}],
  (at) => ['read_memory', { memory_id: `none-${at}` }],
  () => ['get_memorylake_metadata', {}],
];
const embeddings = [
  (at) => ['embedding.generate', { text: text(at) }],
  (at) => ['embedding.similarity', { query: text(at), texts: [text(at + 1), text(at + 2)] }],
  (at) => ['embedding.tokens', { texts: [`${text(at)} ${at}`] }],
  () => ['model.info', {}],
  (at) => ['embedding.generate', { text: '', nonsense: at }],
];
const msty = [
  (at) => ['list_model_tags', { model_id: `llama-${at}b` }],
  (at) => ['evaluate_response_quality', { prompt: `question ${at}`, response: `answer ${at}` }],
  rarely(() => ['create_prompt_template', { name: 'greeting', template: 'Hello {{name}}' }], ['get_cache_stats']),
  () => ['list_prompt_templates', {}],
  (at) => ['read_msty_database', { query_type: 'stats', limit: at % 50 }],
];

const programs = {
  'tensor-directory': [packaged('tensor-directory'), [], tensors],
  memorylake: [packaged('memorylake'), ['--no-embed'], memories],
  'cortex-embeddings': [packaged('cortex-embeddings'), ['--rate-limit-per-minute', '0'], embeddings],
  'msty-admin': [packaged('msty-admin'), [], msty],
  atoll: [here('../dist/cli.js'), [], [...tensors, ...memories, ...msty]],
};
const only = process.argv.slice(2).find((word) => !word.startsWith('--'));
for (const [name, program] of Object.entries(programs)) if (!only || name === only) await measure(name, program);

function rarely(write, otherwise) {
  return (at) => (at % WRITE_EVERY === 0 ? write(at) : otherwise);
}

async function measure(name, [cli, flags, calls]) {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-leaks-'));
  const heapFile = join(folder, 'heap.json');
  const env = { HEAP_FILE: heapFile, HOME: folder };
  const args = [...WATCHED, cli, ...flags, '--data-dir', join(folder, 'data')];
  const program = start(args, { env });
  try {
    const send = await overStdio(program);
    const kinds = new Set();
    let sent = 0;
    const callUntil = (end) =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (sent < end) {
            const at = sent++;
            const [tool, args = {}] = pick(calls, at)(Math.floor(at / calls.length));
            const { result, error } = await send('tools/call', { name: tool, arguments: args });
            if (error) throw new Error(`${name}: ${tool}: ${error.message}`);
            kinds.add(`${tool} ${result.isError ? 'refused' : 'answered'}`);
          }
        }),
      );
    const heaps = [];
    for (let part = 1; part <= PARTS; part++) {
      await callUntil((CALLS * part) / PARTS);
      await pause(1_000);
      heaps.push(await heldBy(program.child.pid, heapFile));
    }
    console.log(`${name}: ${[...kinds].sort().join(', ')}`);
    figure(name, heaps);
  } finally {
    program.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first half warms up; what still grows from the middle to the end is kept. */
function figure(name, heaps) {
  const mb = (bytes) => Math.round((bytes / 2 ** 20) * 10) / 10;
  const growth = heaps.at(-1).used - heaps[PARTS / 2 - 1].used;
  console.log(
    JSON.stringify({
      bench: `${name}: MB kept of the last ${CALLS / 2} of ${CALLS} calls`,
      growth_mb: mb(growth),
      bytes_per_call: Math.round(growth / (CALLS / 2)),
      heap_mb: heaps.map(({ used }) => mb(used)),
      resident_mb: heaps.map(({ rss }) => Math.round(mb(rss))),
      limit_mb: LIMIT_MB,
      holds: mb(growth) <= LIMIT_MB,
    }),
  );
}
