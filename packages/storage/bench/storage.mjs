// Records against the bare driver, on the same disk in the same run: share of its speed for durable puts and gets, and
// how many times its time a page with a substring filter takes.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@atoll-mcp/storage';

const PUTS = 120;
const GETS = 2_000;
const RECORDS = 100_000;
const PAGES = 3;
const ROUNDS = 21;

const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
const dataDir = await mkdtemp(join(tmpdir(), 'atoll-storage-'));
const definition = {
  name: 'tensors',
  version: 1,
  fields: { name: 'text', created: 'integer' },
  ignoreCase: ['name'],
  indexes: [['name']],
};
const record = (n) => ({
  id: `${n.toString(16).padStart(8, '0')}-5bd1-4e3a-9c55-aa01b2c3d4e5`,
  name: `Weights of layer ${n % 977} run ${n}`,
  created: n,
  description: 'What a model learned on a Tuesday, kept for the comparison of next week. '.repeat(3),
  shape: [64, 64],
});

const bare = new DatabaseSync(join(dataDir, 'bare.db'));
bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192');
bare.exec('CREATE TABLE tensors (id TEXT PRIMARY KEY, name TEXT, lower_name TEXT, created INTEGER, body TEXT)');
bare.exec('CREATE INDEX by_name ON tensors (name)');
const bareInsert = bare.prepare('REPLACE INTO tensors VALUES (?, ?, ?, ?, ?)');
const bareGet = bare.prepare('SELECT body FROM tensors WHERE id = ?');
const barePage = bare.prepare('SELECT body FROM tensors WHERE instr(name, ?) ORDER BY lower_name, id LIMIT 50');
const bareCount = bare.prepare('SELECT count(*) AS total FROM tensors WHERE instr(name, ?)');
const barePut = (each) =>
  bareInsert.run(each.id, each.name, each.name.toLowerCase(), each.created, JSON.stringify(each));

const storage = openStorage({ dataDir });
const tensors = storage.records.collection(definition);
for (let from = 0; from < RECORDS; from += 5_000) {
  const batch = Array.from({ length: 5_000 }, (_, n) => record(from + n));
  await tensors.putMany(batch);
  bare.exec('BEGIN');
  for (const each of batch) barePut(each);
  bare.exec('COMMIT');
}

let turn = 0;
const number = () => (turn++ * 7_919) % RECORDS;
const part = () => `layer ${(turn++ * 31) % 977} `;
const puts = await compare(
  PUTS,
  () => barePut(record(number())),
  () => tensors.put(record(number())),
);
const gets = await compare(
  GETS,
  () => JSON.parse(bareGet.get(record(number()).id).body),
  () => tensors.get(record(number()).id),
);
const pages = await compare(
  PAGES,
  () => {
    const wanted = part();
    return { items: barePage.all(wanted).map(({ body }) => JSON.parse(body)), total: bareCount.get(wanted).total };
  },
  () =>
    tensors.list({ where: { name: { contains: part() } }, order: [{ field: 'name', ignoreCase: true }], limit: 50 }),
);
await storage.close();
bare.close();
await rm(dataDir, { recursive: true });

const share = ({ bareMs, ourMs }) => Number((bareMs / ourMs).toFixed(2));
const times = ({ bareMs, ourMs }) => Number((ourMs / bareMs).toFixed(2));
console.log(
  JSON.stringify({
    bench: 'core/storage',
    put: { us: micro(puts.ourMs), bare_us: micro(puts.bareMs), share_of_bare: share(puts), target: 0.8 },
    get: { us: micro(gets.ourMs), bare_us: micro(gets.bareMs), share_of_bare: share(gets), target: 0.8 },
    page_of_100k: { us: micro(pages.ourMs), bare_us: micro(pages.bareMs), times_bare: times(pages), target: 3 },
    holds: share(puts) >= 0.8 && share(gets) >= 0.8 && times(pages) <= 3,
  }),
);

/** Milliseconds per call of both, taking turns and each by its median round: other load then hits both alike. */
async function compare(calls, bareCall, ourCall) {
  const rounds = { bare: [], ours: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const bareMs = await time(calls, bareCall);
    const ourMs = await time(calls, ourCall);
    if (round > 0) {
      rounds.bare.push(bareMs);
      rounds.ours.push(ourMs);
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  return { bareMs: median(rounds.bare), ourMs: median(rounds.ours) };
}

async function time(calls, call) {
  const started = performance.now();
  for (let n = 0; n < calls; n++) await call();
  return (performance.now() - started) / calls;
}

function micro(ms) {
  return Math.round(ms * 1_000);
}
