// Hybrid search over 100,000 chunks with 384-dimensional vectors: speed, recall, memory, the time of the first search, and what a search
// within a collection of one in a hundred chunks costs against one of all of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@atoll-mcp/storage';
import { makeCorpus } from './_corpus.mjs';

const CHUNKS = Number(process.env.CHUNKS ?? 100_000);
const PER_DOCUMENT = 100;
const DIMENSIONS = 384;
const QUERIES = 200;

const {
  random,
  english,
  chinese,
  vector: nextVector,
} = makeCorpus({ seed: 7, dimensions: DIMENSIONS, clusters: 2_000 });
const dataDir = process.env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'atoll-search-')));
const definition = { name: 'bench', dimensions: DIMENSIONS };

const vectors = [];
let storage = openStorage({ dataDir });
let index = storage.searchIndex(definition);
let writing = 0;
for (let document = 0; document * PER_DOCUMENT < CHUNKS; document++) {
  const chunks = Array.from({ length: PER_DOCUMENT }, () => {
    const vector = nextVector();
    vectors.push(vector);
    return { terms: random() < 0.7 ? english(75) : chinese(400), vector, payload: { page: document } };
  });
  const started = performance.now();
  await index.upsert({
    id: `document-${document}`,
    attributes: { type: document % 2 ? 'pdf_file' : 'txt_file', collection: isNarrow(document) ? 'narrow' : 'wide' },
    chunks,
  });
  writing += performance.now() - started;
}
await storage.close();

const before = process.memoryUsage.rss();
const opened = performance.now();
storage = openStorage({ dataDir });
index = storage.searchIndex(definition);
await index.search(query());
const firstMs = performance.now() - opened;
const memoryMb = (process.memoryUsage.rss() - before) / 2 ** 20;

const times = { hybrid: [], lexical: [], vector: [], narrow: [] };
let [found, foundNarrow] = [0, 0];
for (let round = 0; round < QUERIES; round++) {
  const request = query();
  for (const kind of Object.keys(times)) {
    const asked = {
      ...request,
      ...(kind === 'lexical' && { vector: undefined }),
      ...(kind === 'vector' && { terms: [] }),
      ...(kind === 'narrow' && { filter: { attributes: { collection: 'narrow' } } }),
    };
    const started = performance.now();
    const result = await index.search(asked);
    times[kind].push(performance.now() - started);
    if (round % 10 !== 0) continue;
    const best = result.vector.slice(0, 10);
    if (kind === 'vector') found += overlap(request.vector, best, () => true);
    if (kind === 'narrow') foundNarrow += overlap(request.vector, best, isNarrow);
  }
}
await storage.close();
if (process.env.DATA_DIR === undefined) await rm(dataDir, { recursive: true });

const at = (kind, share) =>
  Number(times[kind].sort((a, b) => a - b)[Math.floor(times[kind].length * share)].toFixed(2));
console.log(
  JSON.stringify({
    bench: 'core/search',
    chunks: CHUNKS,
    upsert_chunks_per_s: Math.round(CHUNKS / (writing / 1000)),
    first_search_ms: Math.round(firstMs),
    memory_mb: Math.round(memoryMb),
    hybrid_ms: { p50: at('hybrid', 0.5), p99: at('hybrid', 0.99) },
    lexical_ms: { p50: at('lexical', 0.5), p99: at('lexical', 0.99) },
    vector_ms: { p50: at('vector', 0.5), p99: at('vector', 0.99) },
    narrow_ms: { p50: at('narrow', 0.5), p99: at('narrow', 0.99) },
    recall_at_10: found / (QUERIES / 10),
    narrow_recall_at_10: foundNarrow / (QUERIES / 10),
    narrow_to_all: Number((at('narrow', 0.5) / at('hybrid', 0.5)).toFixed(2)),
    target_narrow_to_all: 1.2,
    holds: at('narrow', 0.5) <= 1.2 * at('hybrid', 0.5) && foundNarrow === QUERIES / 10,
  }),
);

function query() {
  const terms = random() < 0.7 ? english(8) : chinese(9);
  return {
    terms: terms.map((term) => ({ term })),
    vector: nextVector(),
    k: 50,
  };
}

/** Whether a document is in the collection of one in a hundred. */
function isNarrow(document) {
  return document % 100 === 7;
}

function overlap(vector, hits, isWanted) {
  const scores = vectors.flatMap((other, chunk) =>
    isWanted(Math.floor(chunk / PER_DOCUMENT))
      ? [{ chunk, score: other.reduce((sum, value, i) => sum + value * vector[i], 0) }]
      : [],
  );
  const best = new Set(
    scores
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ chunk }) => chunk),
  );
  const place = ({ documentId, chunk }) => Number(documentId.slice(9)) * PER_DOCUMENT + chunk;
  return hits.filter((hit) => best.has(place(hit))).length / 10;
}
