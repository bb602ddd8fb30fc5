// PostgreSQL on loopback: records against the bare driver, and hybrid search against the embedded engine, in the same
// run. `--long` searches 100,000 chunks, for which the target is set; the short run is to see that nothing broke.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@atoll-mcp/core/storage';
import pg from 'pg';
import { storageDriver } from '../dist/index.js';
import { makePostgres } from './_postgres.mjs';

const isLong = process.argv.includes('--long');
const CHUNKS = Number(process.env.CHUNKS ?? (isLong ? 100_000 : 10_000));
const PER_DOCUMENT = 100;
const DIMENSIONS = 384;
const QUERIES = 60;
const ROUNDS = 15;
const RECORDS = 2_000;

const random = mulberry32(11);
const words = zipf(60_000);
const server = await makePostgres();
const dataDir = await mkdtemp(join(tmpdir(), 'atoll-bench-'));
const shared = storageDriver({ url: server.url, dataDir, namespace: 'bench' });
const embedded = openStorage({ dataDir });
try {
  await records();
  await search();
} finally {
  await Promise.all([shared.close(), embedded.close()]);
  await server.remove();
  await rm(dataDir, { recursive: true });
}

async function records() {
  const record = (n) => ({
    id: `record-${n}`,
    name: `Layer ${n % 97}`,
    created: n,
    text: 'What was learned. '.repeat(12),
  });
  const fields = { name: 'text', created: 'integer' };
  const collection = shared.records.collection({ name: 'tensors', version: 1, fields, indexes: [['name']] });
  const bare = new pg.Pool({ connectionString: server.url, max: 10 });
  await bare.query('CREATE TABLE bare (id text PRIMARY KEY, name text, created bigint, body jsonb NOT NULL)');
  await bare.query('CREATE INDEX ON bare (name)');
  const barePut = ({ id, name, created, ...rest }) =>
    bare.query(
      `INSERT INTO bare VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, created = excluded.created, body = excluded.body`,
      [id, name, created, JSON.stringify({ id, name, created, ...rest })],
    );
  const bareGet = async (id) => (await bare.query('SELECT body FROM bare WHERE id = $1', [id])).rows[0].body;
  for (let n = 0; n < RECORDS; n++) await Promise.all([barePut(record(n)), collection.put(record(n))]);
  let turn = 0;
  const next = () => record((turn++ * 7_919) % RECORDS);
  const put = await share(
    40,
    () => barePut(next()),
    () => collection.put(next()),
  );
  const get = await share(
    150,
    () => bareGet(next().id),
    () => collection.get(next().id),
  );
  await bare.end();
  const target = 'put and get at least 0.7 of the bare driver';
  tell({ bench: 'storage-postgres/records', put_share: put, get_share: get, target, holds: put >= 0.7 && get >= 0.7 });
}

async function search() {
  const centres = Array.from({ length: 500 }, () => gaussian());
  const definition = { name: 'bench', dimensions: DIMENSIONS };
  const [there, here] = [shared, embedded].map((storage) => storage.searchIndex(definition));
  const wanted = () => near(centres[Math.floor(random() * centres.length)]);
  for (let document = 0; document * PER_DOCUMENT < CHUNKS; document++) {
    const chunks = Array.from({ length: PER_DOCUMENT }, () => ({ terms: text(75), vector: wanted() }));
    await Promise.all([there, here].map((index) => index.upsert({ id: `document-${document}`, chunks })));
  }
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
  const times = { here: [], there: [] };
  let same = 0;
  for (let n = 0; n < QUERIES + 5; n++) {
    const request = { terms: text(8).map((term) => ({ term })), vector: wanted(), k: 50 };
    const [mine, theirs] = [await timed(() => here.search(request)), await timed(() => there.search(request))];
    // The first few warm up either side.
    if (n < 5) continue;
    times.here.push(mine.ms);
    times.there.push(theirs.ms);
    const best = new Set(mine.result.vector.slice(0, 10).map(({ documentId, chunk }) => `${documentId}#${chunk}`));
    const found = theirs.result.vector
      .slice(0, 10)
      .filter(({ documentId, chunk }) => best.has(`${documentId}#${chunk}`));
    same += found.length / 10;
  }
  const [p50Here, p50There] = [times.here, times.there].map(median);
  tell({
    bench: 'storage-postgres/search',
    chunks: CHUNKS,
    hybrid_times_embedded: round(p50There / p50Here),
    vector_recall_at_10: round(same / QUERIES),
    ...(isLong && { target: 'at most 2 times the embedded engine', holds: p50There <= 2 * p50Here }),
  });
}

/** How fast the second is, as a share of the first: both take turns, and the middle of all rounds counts. */
async function share(times, first, second) {
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const [one, other] = [await repeated(times, first), await repeated(times, second)];
    rounds.push(one / other);
  }
  return round(median(rounds));
}

async function repeated(times, work) {
  const started = performance.now();
  for (let n = 0; n < times; n++) await work();
  return performance.now() - started;
}

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}

function tell(figures) {
  console.log(JSON.stringify(figures));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Number(value.toFixed(2));
}

function text(length) {
  return Array.from({ length }, () => `w${pick(words)}`);
}

function zipf(count) {
  const sums = new Float64Array(count);
  for (let i = 0, sum = 0; i < count; i++) sums[i] = sum += 1 / (i + 2.7);
  return sums;
}

function pick(sums) {
  const target = random() * sums[sums.length - 1];
  let low = 0;
  for (let high = sums.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if (sums[middle] < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

function near(centre) {
  const noise = gaussian();
  return normalised(centre.map((value, i) => value + 0.7 * noise[i]));
}

function gaussian() {
  return normalised(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5));
}

function normalised(vector) {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
