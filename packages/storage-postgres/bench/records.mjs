// Putting and getting records in PostgreSQL on loopback, against the bare driver on a table of the same columns.
import pg from 'pg';
import { storageDriver } from '../dist/index.js';
import { makePostgres } from './_postgres.mjs';

const ROUNDS = 15;
const RECORDS = 2_000;

const server = await makePostgres();
const shared = storageDriver({ url: server.url, dataDir: '', namespace: 'bench' });
try {
  await records();
} finally {
  await shared.close();
  await server.remove();
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
  const holds = put >= 0.7 && get >= 0.7;
  console.log(JSON.stringify({ bench: 'storage-postgres/records', put_share: put, get_share: get, target, holds }));
}

/** How fast the second is, as a share of the first: both take turns, and the middle of all rounds counts. */
async function share(times, first, second) {
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const [one, other] = [await repeated(times, first), await repeated(times, second)];
    rounds.push(one / other);
  }
  return Number(rounds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)].toFixed(2));
}

async function repeated(times, work) {
  const started = performance.now();
  for (let n = 0; n < times; n++) await work();
  return performance.now() - started;
}
