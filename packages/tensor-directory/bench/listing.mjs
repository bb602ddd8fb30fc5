// A filtered page out of 100,000 tensors against the bare SQL, and the 10,000th upload against the 10th.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@atoll-mcp/core';
import { loadConfig } from '@atoll-mcp/server';
import { chooseBackends, configDefinition, contract, TensorDirectoryService } from '../dist/index.js';
import { median, report, temporaryFolder } from './_program.mjs';

const COUNT = 100_000;
const folder = temporaryFolder();
const large = open(join(folder, 'large'));
await fill(large, COUNT);

const page = { offset: 0, limit: 100 };
const sql = bareSql(join(folder, 'large', 'records.db'));
const through = [];
const bare = [];
for (let i = 0; i < 15; i++) {
  const name = `_${i % 10}7`;
  bare.push(time(() => sql(name)));
  through.push(await timed(() => large.service.listTensors({ nameContains: name }, page)));
}
const ratio = median(through) / median(bare);
report({
  bench: `${contract.name}/listing`,
  tensors: COUNT,
  page_ms: median(through),
  sql_ms: median(bare),
  ratio,
  target_ratio: 3,
  holds: ratio <= 3,
});
await large.backends.close();

const young = open(join(folder, 'young'));
const old = open(join(folder, 'old'));
await fill(young, 9);
await fill(old, 9_999);
const costs = { young: [], old: [] };
for (let i = 0; i < 60; i++) {
  // Each at its size: what was added for measuring is taken away again.
  for (const [name, directory] of Object.entries({ young, old })) {
    const upload = { name: `new_${i}`, description: '', data: [i, i + 0.5] };
    let stored;
    costs[name].push(await timed(async () => (stored = await directory.service.uploadTensor(upload))));
    await directory.service.deleteTensor(stored.uuid);
  }
}
const growth = median(costs.old.slice(10)) / median(costs.young.slice(10));
report({
  bench: `${contract.name}/growth`,
  tenth_ms: median(costs.young),
  ten_thousandth_ms: median(costs.old),
  ratio: growth,
  target_ratio: 1.2,
  holds: growth <= 1.2,
});
await young.backends.close();
await old.backends.close();

function open(dataDir) {
  const settings = { ...loadConfig(configDefinition).config, dataDir };
  const backends = chooseBackends(settings, silentLogger);
  return { backends, service: new TensorDirectoryService(backends, settings) };
}

async function fill({ backends }, count) {
  const values = await backends.values.put({ dtype: 'float64', shape: [1], pieces: () => [new Uint8Array(8)] });
  for (let from = 0; from < count; from += 5_000) {
    const items = Array.from({ length: Math.min(5_000, count - from) }, (_, i) => ({
      item: {
        uuid: crypto.randomUUID(),
        name: `tensor_${from + i}`,
        description: `The tensor number ${from + i} of a large collection`,
        createdAt: '2024-01-01T00:00:00.000000',
        values,
        tags: [],
      },
    }));
    await backends.tensors.add(items);
  }
}

/** What a page needs, written by hand: the rows in order and how many there are. */
function bareSql(path) {
  const storage = createRequire(fileURLToPath(import.meta.resolve('@atoll-mcp/storage')));
  const { DatabaseSync } = storage('@photostructure/sqlite');
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(
    'SELECT body FROM c_tensors WHERE instr(f_name, ?) > 0 ORDER BY l_name, f_createdAt, id LIMIT 100',
  );
  const total = database.prepare('SELECT count(*) AS total FROM c_tensors WHERE instr(f_name, ?) > 0');
  return (name) => [rows.all(name), total.get(name)];
}

function time(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
