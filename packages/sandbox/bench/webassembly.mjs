// JavaScript and SQL: a fresh session, a warm call, and the same work against Node and against SQLite without a sandbox.
import initSqlJs from 'sql.js';
import { createJavaScriptRuntime, createSqlRuntime } from '../dist/index.js';
import { median, report, timed } from './_measure.mjs';

const ROUNDS = 7;
const ROWS = 50_000;
const MODEL = `function predict({ image }) {
  const out = new Float64Array(image.data.length);
  for (let i = 0; i < out.length; i++) { const v = image.data[i] * 1.2 + 10; out[i] = v < 0 ? 0 : v > 255 ? 255 : v }
  return { dtype: 'float64', shape: image.shape, data: out };
}`;

const values = new Float64Array(1e5).map((_, n) => (n * 7) % 255);
const image = { dtype: 'float64', shape: [1000, 100], data: new Uint8Array(values.buffer) };
const javascript = createJavaScriptRuntime();
await javascript.probe();
const [fresh, warm, whole, floor] = [[], [], [], []];
const inNode = new Function(`${MODEL}; return predict`)();
for (let n = 0; n < ROUNDS; n++) {
  let session;
  fresh.push(
    await timed(async () => {
      session = await javascript.open();
      await session.run('1');
    }),
  );
  for (let call = 0; call < 20; call++) warm.push(await timed(() => session.run('1')));
  whole.push(await timed(() => session.predict(MODEL, { image })));
  floor.push(await timed(async () => inNode({ image: { ...image, data: values } })));
  await session.close();
}
report({
  bench: 'sandbox/javascript',
  fresh_ms: median(fresh),
  warm_ms: median(warm),
  predict_ms: median(whole),
  node_ms: median(floor),
});
await javascript.close();

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'text' },
  { name: 'price', type: 'real' },
];
const rows = Array.from({ length: ROWS }, (_, n) => [n, `row ${n}`, n / 7]);
const QUERY = 'SELECT id % 10 AS k, count(*), avg(price), max(name) FROM t GROUP BY k ORDER BY 3 DESC';
const { Database } = await initSqlJs();
const sql = createSqlRuntime();
await sql.probe();
const [loading, bareLoading, asking, bareAsking] = [[], [], [], []];
for (let n = 0; n < 3; n++) {
  let session;
  loading.push(
    await timed(async () => {
      session = await sql.open({ tables: [{ name: 't', columns, rows }] });
    }),
  );
  const db = new Database();
  bareLoading.push(
    await timed(async () => {
      db.run('CREATE TABLE t (id INTEGER, name TEXT, price REAL); BEGIN');
      const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?)');
      for (const row of rows) insert.run(row);
      insert.free();
      db.run('COMMIT');
    }),
  );
  for (let call = 0; call < 3; call++) {
    asking.push(await timed(() => session.run(QUERY)));
    bareAsking.push(await timed(async () => db.exec(QUERY)));
  }
  db.close();
  await session.close();
}
await sql.close();
const [load_ms, bare_load_ms, query_ms, bare_query_ms] = [loading, bareLoading, asking, bareAsking].map(median);
const ratio = (a, b) => Number((a / b).toFixed(2));
report({
  bench: 'sandbox/sql',
  rows: ROWS,
  load_ms,
  load_ratio: ratio(load_ms, bare_load_ms),
  query_ms,
  query_ratio: ratio(query_ms, bare_query_ms),
});
