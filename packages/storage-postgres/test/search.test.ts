import type { IndexedDocument, SearchRequest, Storage } from '@atoll-mcp/core/storage';
import { memoryStorage } from '@atoll-mcp/storage';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storageDriver } from '../src/storage.ts';
import { makePostgres, type TestPostgres } from './server.ts';

const definition = { name: 'words', dimensions: 3 };
const timeout = 180_000;

let server: TestPostgres;
let client: pg.Client;
beforeAll(async () => {
  server = await makePostgres({ version: '15' });
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
}, 180_000);
afterAll(async () => {
  await client.end();
  await server.remove();
});

const open = (namespace: string): Storage => storageDriver({ url: server.url, dataDir: '', namespace });
const count = async (from: string) => Number((await client.query(`SELECT count(*) AS n FROM ${from}`)).rows[0].n);

/** A few words are in nearly every chunk and most in hardly any, as in any language; the same ones in every run. */
function documentOf(id: string, chunks: number, seed: number): IndexedDocument {
  let state = seed * 7_919 + 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const word = () => `w${Math.floor(400 ** next())}`;
  const terms = () => Array.from({ length: 5 + Math.floor(next() * 40) }, word);
  return {
    id,
    attributes: { even: seed % 2 === 0 },
    chunks: Array.from({ length: chunks }, () => ({ terms: terms() })),
  };
}

const REQUESTS: readonly SearchRequest[] = [
  ['w1', 'w2', 'w3'],
  ['w1', 'w40', 'w300', 'w399'],
  ['w7', 'w7', 'nowhere'],
].flatMap((words) => {
  const terms = words.map((term, place) => ({ term, boost: 1 + place / 2 }));
  return [
    { terms, k: 40 },
    { terms, k: 10, filter: { attributes: { even: true } } },
  ];
});

/** The same chunks with the same scores as the plainest engine there is; of equal ones the order is free. */
async function expectSame(shared: Storage, plain: Storage): Promise<void> {
  for (const request of REQUESTS) {
    const [found, wanted] = await Promise.all(
      [shared, plain].map(async (storage) => (await storage.searchIndex(definition).search(request)).lexical),
    );
    expect(found!.map(({ score }) => score.toFixed(9))).toEqual(wanted!.map(({ score }) => score.toFixed(9)));
    const last = wanted!.at(-1)!.score;
    const names = (hits: typeof found) =>
      hits!.filter(({ score }) => score > last + 1e-9).map(({ documentId, chunk }) => `${documentId}#${chunk}`);
    expect(names(found).sort()).toEqual(names(wanted).sort());
  }
}

test('what is searched in segments is what every other engine finds, through removals and replacements', {
  timeout,
}, async () => {
  const [one, other, plain] = [open('segments'), open('segments'), memoryStorage()];
  const [mine, theirs, simple] = [one, other, plain].map((storage) => storage.searchIndex(definition));
  const put = async (from: number, to: number, seed: number) => {
    for (let n = from; n < to; n++) {
      const document = documentOf(`d${n}`, n % 5 === 0 ? 0 : (n % 7) * 40, seed + n);
      await (n % 2 ? mine! : theirs!).upsert(document);
      await simple!.upsert(document);
    }
  };
  await put(0, 60, 0);
  await expectSame(one, plain);
  await put(60, 90, 0);
  await expectSame(other, plain);
  for (let n = 0; n < 90; n += 3) await Promise.all([mine!.remove(`d${n}`), simple!.remove(`d${n}`)]);
  await expectSame(one, plain);
  await put(20, 70, 1_000);
  await expectSame(one, plain);
  await expectSame(other, plain);
  await one.close();
  const segments = '"atoll_segments"."search_words_segments"';
  expect(await count(segments)).toBeGreaterThan(1);
  const { rows } = await client.query(`SELECT max(number) AS most FROM ${segments}`);
  expect(Number(rows[0].most), 'some were dissolved').toBeGreaterThan(await count(segments));
  // A process that was not there before knows only what is stored.
  const late = open('segments');
  await expectSame(late, plain);
  for (const storage of [late, other]) await storage.close();
});

test('an index is whole to those who search it while several processes write', { timeout }, async () => {
  const storages = Array.from({ length: 3 }, () => open('busy'));
  const indexes = storages.map((storage) => storage.searchIndex(definition));
  let isOver = false;
  const marked = (id: string, n: number): IndexedDocument => ({
    id,
    chunks: Array.from({ length: 150 }, () => ({ terms: ['all', `turn${n}`] })),
  });
  await indexes[0]!.upsert(marked('watched', 0));
  const writing = indexes.map(async (index, writer) => {
    for (let n = 1; n <= 25; n++) {
      await index.upsert(marked(writer === 0 ? 'watched' : `d${writer}-${n % 20}`, n));
      if (n % 6 === 0) await index.remove(`d${writer}-${n % 20}`);
    }
  });
  const watching = (async () => {
    let looks = 0;
    for (; !isOver || looks === 0; looks++) {
      const filter = { documentIds: ['watched'] };
      const { lexical } = await indexes[2]!.search({ terms: [{ term: 'all' }], k: 1_000, filter });
      expect(lexical.map(({ chunk }) => chunk).sort((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, n) => n));
      expect(new Set(lexical.map(({ score }) => score)).size).toBe(1);
    }
  })();
  await Promise.all(writing).finally(() => {
    isOver = true;
  });
  await watching;
  for (const storage of storages) await storage.close();
});

test('rows of the first layout become documents of this one, and a newer layout is refused', { timeout }, async () => {
  const [storage, plain] = [open('layout'), memoryStorage()];
  for (let n = 0; n < 12; n++) {
    const document = documentOf(`d${n}`, 10 * n, n);
    for (const { searchIndex } of [storage, plain]) await searchIndex(definition).upsert(document);
  }
  await storage.close();
  await client.query('SET search_path = atoll_layout, public');
  await client.query(FIRST_LAYOUT);
  await fillFirstLayout(plain);
  await client.query('ALTER TABLE search_words_documents DROP COLUMN postings');
  const later = open('layout');
  await expectSame(later, plain);
  await later.searchIndex(definition).upsert(documentOf('d3', 50, 99));
  await plain.searchIndex(definition).upsert(documentOf('d3', 50, 99));
  await expectSame(later, plain);
  await later.close();
  await client.query('UPDATE atoll_indexes SET layout = 99');
  const older = open('layout');
  await expect(older.searchIndex(definition).warm()).rejects.toThrow(/newer version/);
  await older.close();
  await client.query('RESET search_path');
});

const FIRST_LAYOUT = `
  ALTER TABLE search_words_documents DROP COLUMN segment;
  DROP TABLE search_words_segments, search_words_lists, search_words_removed;
  ALTER TABLE search_words_chunks ADD COLUMN length integer NOT NULL DEFAULT 0;
  CREATE TABLE search_words_postings (
    term integer NOT NULL, chunk bigint NOT NULL REFERENCES search_words_chunks (number) ON DELETE CASCADE,
    occurrences smallint NOT NULL, length integer NOT NULL);
  UPDATE atoll_indexes SET layout = 1;`;

async function fillFirstLayout(plain: Storage): Promise<void> {
  const chunk = `(SELECT c.number FROM search_words_chunks c JOIN search_words_documents d ON d.number = c.document
    WHERE d.id = $1 AND c.chunk = $2)`;
  for await (const { id, chunks } of plain.searchIndex(definition).documents()) {
    for (const [place, { terms }] of chunks.entries()) {
      const set = `UPDATE search_words_chunks SET length = $3 WHERE number = ${chunk}`;
      await client.query(set, [id, place, terms.length]);
      await client.query(
        `INSERT INTO search_words_postings SELECT t.number, ${chunk}, count(*), $3
         FROM unnest($4::text[]) AS w (term) JOIN search_words_terms t USING (term) GROUP BY t.number`,
        [id, place, terms.length, terms],
      );
    }
  }
}
