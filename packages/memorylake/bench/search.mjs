// Hybrid search of a whole lake against LanceDB (full text and vectors) on the same chunks in the same run. 20,000
// chunks unless --long asks for 100,000.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStorage } from '@atoll-mcp/core/storage';
import { peer, quantile, randomFrom, round } from './_peer.mjs';

const CHUNKS = process.argv.includes('--long') ? 100_000 : 20_000;
const PER_DOCUMENT = 100;
const DIMENSIONS = 384;
const QUERIES = 200;
const K = 100;
const me = fileURLToPath(import.meta.url);

if (process.argv[2] === 'search') await searchOurs(process.argv[3], Number(process.argv[4]));
else await main();

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'memorylake-bench-'));
  try {
    await fillOurs(join(folder, 'ours'));
    const child = spawnSync(process.execPath, [me, 'search', join(folder, 'ours'), String(CHUNKS)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    if (child.status !== 0) throw new Error(child.stderr);
    const ours = JSON.parse(child.stdout.trim().split('\n').at(-1));
    const lance = await peer('@lancedb/lancedb', '^0.37.0');
    const theirs = lance ? await searchLance(lance, join(folder, 'lance')) : undefined;
    const p50 = quantile(ours.times, 0.5);
    const p99 = quantile(ours.times, 0.99);
    const peerP50 = theirs && quantile(theirs, 0.5);
    report({
      bench: 'memorylake/search-p50',
      chunks: CHUNKS,
      ours_ms: round(p50),
      lancedb_ms: theirs && round(peerP50),
      ratio: theirs && round(p50 / peerP50),
      target: 1,
      holds: theirs && p50 <= peerP50,
    });
    report({
      bench: 'memorylake/search-p99',
      chunks: CHUNKS,
      p99_ms: round(p99),
      ratio_to_p50: round(p99 / p50),
      target: 3,
      holds: p99 <= 3 * p50,
    });
    report({
      bench: 'memorylake/search-first',
      chunks: CHUNKS,
      first_ms: Math.round(ours.firstMs),
      target_ms: 1500,
      holds: ours.firstMs < 1500,
    });
    report({
      bench: 'memorylake/search-memory',
      chunks: CHUNKS,
      memory_mb: ours.memoryMb,
      target_mb: 500,
      holds: ours.memoryMb < 500,
    });
    report({
      bench: 'memorylake/search-recall',
      chunks: CHUNKS,
      recall_at_10: round(ours.recall, 4),
      target: 0.99,
      holds: ours.recall >= 0.99,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Texts of made-up words as often as words are in running text, and vectors in clusters. Both sides get these. */
function corpus() {
  const random = randomFrom(7);
  const word = zipf(30_000, random);
  const gaussian = () =>
    normalised(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
  const centres = Array.from({ length: 500 }, gaussian);
  const near = () => {
    const centre = centres[Math.floor(random() * centres.length)];
    const noise = gaussian();
    return normalised(centre.map((value, at) => value + 0.7 * noise[at]));
  };
  const text = (length) => Array.from({ length }, () => `w${word()}`);
  return { chunk: () => ({ terms: text(75), vector: near() }), query: () => ({ terms: text(8), vector: near() }) };
}

async function fillOurs(dataDir) {
  const { chunk } = corpus();
  const storage = openStorage({ dataDir });
  const index = storage.searchIndex({ name: 'chunks', dimensions: DIMENSIONS });
  for (let document = 0; document * PER_DOCUMENT < CHUNKS; document++) {
    const chunks = Array.from({ length: PER_DOCUMENT }, (_, at) => ({
      ...chunk(),
      payload: { text: `${document}/${at}` },
    }));
    await index.upsert({ id: `d${document}`, chunks });
  }
  await storage.close();
}

/** In a process of its own, so that memory and the first search are those of a lake that was just opened. */
async function searchOurs(dataDir, count) {
  const started = performance.now();
  const storage = openStorage({ dataDir });
  const index = storage.searchIndex({ name: 'chunks', dimensions: DIMENSIONS });
  const { query, chunk } = corpus();
  const ask = ({ terms, vector }) => index.search({ terms: terms.map((term) => ({ term })), vector, k: K });
  await ask(query());
  const firstMs = performance.now() - started;
  for (let warm = 0; warm < 20; warm++) await ask(query());
  const times = [];
  for (let at = 0; at < QUERIES; at++) {
    const question = query();
    const before = performance.now();
    await ask(question);
    times.push(performance.now() - before);
  }
  const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const again = corpus();
  const vectors = Array.from({ length: count }, () => again.chunk().vector);
  let found = 0;
  for (let at = 0; at < 20; at++) {
    const question = { terms: [], vector: chunk().vector };
    const hits = (await ask(question)).vector.slice(0, 10);
    const scores = vectors.map((vector, number) => [
      number,
      vector.reduce((sum, value, i) => sum + value * question.vector[i], 0),
    ]);
    const best = new Set(
      scores
        .sort((a, b) => b[1] - a[1])
        .slice(0, 10)
        .map(([number]) => number),
    );
    found +=
      hits.filter(({ documentId, chunk }) => best.has(Number(documentId.slice(1)) * PER_DOCUMENT + chunk)).length / 10;
  }
  await storage.close();
  report({ firstMs, times, memoryMb, recall: found / 20 });
}

async function searchLance(lance, folder) {
  const { chunk, query } = corpus();
  const db = await lance.connect(folder);
  let table;
  for (let from = 0; from < CHUNKS; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, CHUNKS - from) }, (_, at) => {
      const { terms, vector } = chunk();
      return { id: from + at, text: terms.join(' '), vector: Array.from(vector) };
    });
    if (table) await table.add(rows);
    else table = await db.createTable('chunks', rows);
  }
  await table.createIndex('text', {
    config: lance.Index.fts({ baseTokenizer: 'whitespace', stem: false, removeStopWords: false }),
  });
  await table.createIndex('vector', { config: lance.Index.hnswSq({ distanceType: 'cosine' }) });
  const reranker = await lance.rerankers.RRFReranker.create(60);
  const ask = ({ terms, vector }) =>
    table
      .query()
      .nearestTo(Array.from(vector))
      .ef(128)
      .fullTextSearch(terms.join(' '), { columns: ['text'] })
      .rerank(reranker)
      .select(['id'])
      .limit(K)
      .toArray();
  for (let warm = 0; warm < 20; warm++) await ask(query());
  const times = [];
  for (let at = 0; at < QUERIES; at++) {
    const question = query();
    const before = performance.now();
    await ask(question);
    times.push(performance.now() - before);
  }
  return times;
}

function zipf(count, random) {
  const sums = new Float64Array(count);
  for (let at = 0, sum = 0; at < count; at++) {
    sum += 1 / (at + 2.7);
    sums[at] = sum;
  }
  return () => {
    const target = random() * sums[count - 1];
    let low = 0;
    for (let high = count - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle] < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function normalised(vector) {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

function report(figures) {
  console.log(JSON.stringify(figures));
}
