// Hybrid search in PostgreSQL on loopback against the embedded engine, on the same chunks and taking turns.
// `--long` searches 100,000 chunks, for which the target is set; the short run is to see that nothing broke.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@atoll-mcp/storage';
import pg from 'pg';
import { makeCorpus } from '../../storage/bench/_corpus.mjs';
import { storageDriver } from '../dist/index.js';
import { makePostgres } from './_postgres.mjs';

const isLong = process.argv.includes('--long');
const CHUNKS = Number(process.env.CHUNKS ?? (isLong ? 100_000 : 10_000));
const VERSION = process.env.ATOLL_TEST_POSTGRES ?? '18';
const PER_DOCUMENT = 100;
const DIMENSIONS = 384;
const QUERIES = 100;
const WARM_UP = 10;
const K = 50;

const { english, vector } = makeCorpus({ seed: 11, dimensions: DIMENSIONS, clusters: 500 });
// As for any server that holds a graph: it fits into the server's memory.
const settings = ['shared_buffers=1GB', 'maintenance_work_mem=1GB'];
const server = await makePostgres({ version: VERSION, settings });
const dataDir = await mkdtemp(join(tmpdir(), 'atoll-bench-'));
const shared = storageDriver({ url: server.url, dataDir, namespace: 'bench' });
const embedded = openStorage({ dataDir });
const client = new pg.Client({ connectionString: server.url });
await client.connect();
await client.query('SET search_path = atoll_bench, public');
try {
  const [there, here] = [shared, embedded].map((storage) =>
    storage.searchIndex({ name: 'bench', dimensions: DIMENSIONS }),
  );
  const writing = await fill(there, here);
  await compare(there, here, writing);
} finally {
  await client.end();
  await Promise.all([shared.close(), embedded.close()]);
  await server.remove();
  await rm(dataDir, { recursive: true });
}

/** Graphs are built beside the writing and after it; searches are timed when they are done. */
async function fill(there, here) {
  await there.warm();
  const times = { there: 0, here: 0 };
  for (let n = 0; n < CHUNKS / PER_DOCUMENT; n++) {
    const chunks = Array.from({ length: PER_DOCUMENT }, () => ({ terms: english(75), vector: vector() }));
    const document = { id: `document-${n}`, chunks };
    times.there += (await took(() => there.upsert(document))).ms;
    times.here += (await took(() => here.upsert(document))).ms;
  }
  const { ms } = await took(() => there.settled());
  await client.query('VACUUM ANALYZE');
  return { perSecond: CHUNKS / (times.there / 1000), timesEmbedded: times.there / times.here, graphsMs: ms };
}

async function compare(there, here, writing) {
  const kinds = ['hybrid', 'lexical', 'vector'];
  const times = Object.fromEntries(kinds.map((kind) => [kind, { here: [], there: [] }]));
  let near = 0;
  let same = 0;
  for (let n = 0; n < QUERIES + WARM_UP; n++) {
    const request = { terms: english(8).map((term) => ({ term })), vector: vector(), k: K };
    for (const kind of kinds) {
      const asked = {
        ...request,
        ...(kind === 'lexical' && { vector: undefined }),
        ...(kind === 'vector' && { terms: [] }),
      };
      const [mine, theirs] = [await took(() => here.search(asked)), await took(() => there.search(asked))];
      if (n < WARM_UP) continue;
      times[kind].here.push(mine.ms);
      times[kind].there.push(theirs.ms);
      if (kind !== 'hybrid') continue;
      near += shareOf(mine.result.vector.slice(0, 10), theirs.result.vector.slice(0, 10));
      same += shareOf(mine.result.lexical, theirs.result.lexical);
    }
  }
  const ratio = (kind) => round(median(times[kind].there) / median(times[kind].here));
  const { rows } = await client.query(
    `SELECT coalesce(sum(pg_relation_size(indexrelid)), 0) / 1e6 AS graph, count(*) AS graphs,
       pg_database_size(current_database()) / 1e6 AS whole
     FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE starts_with(c.relname, 'search_bench_graph_')`,
  );
  console.log(
    JSON.stringify({
      bench: 'storage-postgres/search',
      postgres: VERSION,
      chunks: CHUNKS,
      hybrid_times_embedded: ratio('hybrid'),
      lexical_times_embedded: ratio('lexical'),
      vector_times_embedded: ratio('vector'),
      embedded_p50_ms: round(median(times.hybrid.here)),
      p50_ms: round(median(times.hybrid.there)),
      lexical_same: round(same / QUERIES),
      vector_recall_at_10: round(near / QUERIES),
      upsert_chunks_per_s: Math.round(writing.perSecond),
      upsert_times_embedded: round(writing.timesEmbedded),
      graphs: Number(rows[0].graphs),
      graphs_done_after_ms: Math.round(writing.graphsMs),
      graph_mb: Math.round(rows[0].graph),
      database_mb: Math.round(rows[0].whole),
      ...(isLong && { target: 'at most 2 times the embedded engine', holds: ratio('hybrid') <= 2 }),
    }),
  );
}

async function took(work) {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}

/** How many of the first are among the second. */
function shareOf(first, second) {
  const names = new Set(second.map(({ documentId, chunk }) => `${documentId}#${chunk}`));
  return first.filter(({ documentId, chunk }) => names.has(`${documentId}#${chunk}`)).length / first.length;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Number(value.toFixed(2));
}
