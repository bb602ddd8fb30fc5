import type { IndexedDocument } from '@atoll-mcp/core/storage';
import { memoryStorage } from '@atoll-mcp/storage';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Pool } from '../src/pool.ts';
import { PostgresSearch } from '../src/search/postgres-search.ts';
import { makePostgres, type TestPostgres } from './server.ts';

const definition = { name: 'points', dimensions: 8 };
const CHUNKS = 3_000;
const K = 20;

let server: TestPostgres;
let client: pg.Client;
beforeAll(async () => {
  server = await makePostgres({ version: '18' });
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
}, 180_000);
afterAll(async () => {
  await client.end();
  await server.remove();
});

const open = (namespace: string) => {
  const pool = new Pool(server.url, namespace);
  const index = new PostgresSearch(pool, definition);
  return { index, close: () => index.close().then(() => pool.close()) };
};

/** The same points in every run. */
function pointsOf(seed: number, count: number): Float32Array[] {
  let state = seed * 7_919 + 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const point = Float32Array.from({ length: definition.dimensions }, next);
    const length = Math.hypot(...point);
    return point.map((value) => value / length);
  });
}

const documentOf = (n: number): IndexedDocument => ({
  id: `d${n}`,
  chunks: pointsOf(n, CHUNKS).map((vector) => ({ terms: [], vector })),
});

async function graphsIn(namespace: string): Promise<{ name: string; valid: boolean; chunks: number }[]> {
  const sql = `SELECT c.relname AS name, i.indisvalid AS valid, g.upto - g.after AS chunks
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    LEFT JOIN "atoll_${namespace}"."search_points_graphs" g ON c.relname = format('search_points_graph_%s_%s', g.after, g.upto)
    WHERE c.relnamespace = $1::regnamespace AND starts_with(c.relname, 'search_points_graph_') ORDER BY g.upto`;
  const { rows } = await client.query(sql, [`atoll_${namespace}`]);
  return rows.map(({ name, valid, chunks }) => ({ name, valid, chunks: Number(chunks) }));
}

test('vectors are found while graphs are built, by them, and beside them', { timeout: 180_000 }, async () => {
  const [one, other] = [open('graphs'), open('graphs')];
  const plain = memoryStorage().searchIndex(definition);
  const put = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      await (n % 2 ? one : other).index.upsert(documentOf(n));
      await plain.upsert(documentOf(n));
    }
  };
  /** Graphs find nearly all of the nearest; without one, all are found. */
  const expectNear = async () => {
    const wanted: string[] = [];
    const found = new Set<string>();
    for (const [n, vector] of pointsOf(1_000, 20).entries()) {
      const name = ({ documentId, chunk }: { documentId: string; chunk: number }) => `${n} ${documentId}#${chunk}`;
      wanted.push(...(await plain.search({ vector, k: K })).vector.map(name));
      for (const hit of (await one.index.search({ vector, k: K })).vector) found.add(name(hit));
    }
    expect(found.size).toBe(wanted.length);
    expect(wanted.filter((name) => found.has(name)).length / wanted.length).toBeGreaterThan(0.95);
  };
  const settled = () => Promise.all([one.index.settled(), other.index.settled()]);
  await put(0, 3);
  await expectNear();
  await settled();
  expect((await graphsIn('graphs')).map(({ valid }) => valid)).toEqual([true]);
  await put(3, 4);
  await expectNear();
  await put(4, 6);
  await settled();
  await Promise.all([one.index.remove('d3'), plain.remove('d3')]);
  await put(1, 2);
  await expectNear();
  // The second was not larger than the first: they were built again as one, so that a search has few to ask.
  const graphs = await graphsIn('graphs');
  expect(graphs).toMatchObject([{ valid: true, chunks: expect.any(Number) }]);
  expect(graphs[0]!.chunks).toBeGreaterThan(4 * CHUNKS);
  for (const { close } of [one, other]) await close();
});

test('what is left of a build that was interrupted is removed by the next', { timeout: 180_000 }, async () => {
  const first = open('left');
  await first.index.upsert({ id: 'd0', chunks: [{ terms: [], vector: pointsOf(1, 1)[0] }] });
  // As a process leaves it that is killed between building and recording a graph.
  await client.query('CREATE INDEX search_points_graph_0_7 ON "atoll_left"."search_points_chunks" (number)');
  for (let n = 1; n <= 3; n++) await first.index.upsert(documentOf(n));
  const vector = pointsOf(1_000, 1)[0];
  const before = (await first.index.search({ vector, k: K })).vector;
  // Closing does not wait for the graph.
  await first.close();
  const later = open('left');
  expect((await later.index.search({ vector, k: K })).vector).toEqual(before);
  await later.index.settled();
  const graphs = await graphsIn('left');
  expect(graphs.map(({ name }) => name)).not.toContain('search_points_graph_0_7');
  expect(graphs.map(({ valid }) => valid)).toEqual([true]);
  await later.close();
});
