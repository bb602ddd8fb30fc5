import { silentLogger } from '@atoll-mcp/core';
import { tokenise } from '@atoll-mcp/storage/search';
import { afterAll, expect, test, vi } from 'vitest';
import type { LakeEmbedder } from '../src/backends/interface.ts';
import { setsToPull } from '../src/backends/multilingual-model.ts';
import { openLake } from '../src/server.ts';
import { uploadedFile } from '../src/service/library.ts';
import { afterTests, cleanUp, configFor, hashEmbedder, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

const TRANSLATIONS: Readonly<Record<string, string>> = {
  leuchtturm: 'lighthouse',
  öffnet: 'opens',
  wann: 'when',
  mole: 'pier',
  hafen: 'harbour',
  灯塔: 'lighthouse',
  码头: 'pier',
};

/** An embedder that lives in memory and knows a few words of other languages: those of one meaning have one direction. */
function dictionaryEmbedder(): LakeEmbedder {
  const inner = hashEmbedder();
  const known = (text: string) =>
    tokenise(
      Object.entries(TRANSLATIONS).reduce(
        (rest, [word, meaning]) => rest.toLowerCase().replaceAll(word, ` ${meaning} `),
        text,
      ),
    )
      .filter((term) => ['lighthous', 'open', 'when', 'pier', 'harbour'].includes(term))
      .join(' ');
  return {
    identity: 'dictionary-64',
    dimensions: 64,
    model: { name: 'dictionary', prompts: { query: '', passage: '' } },
    embed: (texts) => inner.embed(texts.map(known)),
  };
}

async function open(folder: string, multilingual?: LakeEmbedder) {
  const lake = await openLake(configFor(folder), { embedder: hashEmbedder(), multilingual, log: silentLogger });
  afterTests(() => lake.close());
  return lake;
}

const text = (name: string, content: string) => uploadedFile(name, Buffer.from(content));
const ENGLISH = text('lighthouse.txt', 'The lighthouse of the old town opens to visitors in May.');
const GERMAN = text('hafen.txt', 'Die Mole und der Hafen sind für alle Besucher das ganze Jahr offen.');

test('questions cross languages, each text goes to the model that understands it, and what is removed is gone', async () => {
  const lake = await open(await newFolder(), dictionaryEmbedder());
  const english = (await lake.add(ENGLISH)).memory;
  const german = (await lake.add(GERMAN)).memory;
  expect(english).toMatchObject({ english: true, model: 'hash-64', multilingual: 'dictionary-64' });
  expect(german).toMatchObject({ english: false, model: null, multilingual: 'dictionary-64' });

  const first = async (query: string) => {
    const { results, mode, notice } = await lake.search({ query });
    expect({ mode, notice }).toEqual({ mode: 'hybrid', notice: undefined });
    return results[0]?.memory.name;
  };
  expect(await first('Wann öffnet der Leuchtturm?')).toBe('lighthouse.txt');
  expect(await first('灯塔')).toBe('lighthouse.txt');
  expect(await first('Where is the pier of the harbour?')).toBe('hafen.txt');
  expect(await first('When does the lighthouse open?')).toBe('lighthouse.txt');

  await lake.update(german.id, { tags: ['sea'] });
  expect((await lake.search({ query: '码头', tags: ['sea'] })).results).toHaveLength(1);
  await lake.remove([german.id]);
  expect((await lake.search({ query: '码头', tags: ['sea'] })).results).toEqual([]);
});

test('a model that came later is told of with the files to read again, and a lake without it forgets what was removed', async () => {
  const folder = await newFolder();
  const before = await open(folder);
  await before.add(ENGLISH);
  expect((await before.search({ query: 'Wann öffnet der Leuchtturm?' })).notice).toContain('reindex --multilingual');
  expect((await before.search({ query: 'When does the lighthouse open?' })).notice).toBeUndefined();
  await before.close();

  const lake = await open(folder, dictionaryEmbedder());
  expect((await lake.search({ query: 'When does the lighthouse open?' })).notice).toBe(
    '1 of 1 files (lighthouse.txt) were added before the multilingual model and are found in their own language only. Run "memorylake reindex".',
  );
  await lake.reindex();
  const after = await lake.search({ query: '灯塔' });
  expect(after).toMatchObject({ notice: undefined, results: [{ memory: { name: 'lighthouse.txt' } }] });
  await lake.close();

  const without = await open(folder);
  await without.remove(after.results.map(({ memory }) => memory.id));
  await without.close();
  const again = await open(folder, dictionaryEmbedder());
  expect((await again.search({ query: '灯塔' })).results).toEqual([]);
});

test('a multilingual model that fails leaves a file to its words, and the search says so', async () => {
  const broken: LakeEmbedder = { ...dictionaryEmbedder(), embed: () => Promise.reject(new Error('out of order')) };
  const lake = await open(await newFolder(), broken);
  const { memory } = await lake.add(GERMAN);
  expect(memory).toMatchObject({ status: 'ready', model: null, multilingual: null });
  const { mode, notice, results } = await lake.search({ query: 'Mole' });
  expect({ mode, found: results.length }).toEqual({ mode: 'keywords', found: 1 });
  expect(notice).toContain('not available');
});

test('a model says little of a question in a script that it did not learn, and the search says so', async () => {
  const learnt = ['de', 'en', 'ja', 'zh'];
  // To it every text of that script is the same, and the same as this one.
  const blind: LakeEmbedder = {
    ...dictionaryEmbedder(),
    model: { name: 'dictionary', prompts: { query: '', passage: '' }, languages: learnt },
    embed: async (texts) =>
      texts.map((one) =>
        Float32Array.from({ length: 64 }, (_, at) => (at === (/\p{Script=Grek}/u.test(one) ? 0 : 1) ? 1 : 0)),
      ),
  };
  const lake = await open(await newFolder(), blind);
  await lake.add(text('other.txt', 'Το πλοίο φεύγει το πρωί από το λιμάνι για το νησί.'));
  await lake.add(
    text('right.txt', 'Ο φάρος ανοίγει τον Μάιο.\n\nThe lighthouse opens in May, and the old town is near it.'),
  );
  const { results, notice } = await lake.search({ query: 'Πότε ανοίγει ο φάρος;' });
  expect(notice).toContain('reindex --multilingual');
  expect(results[0]?.memory.name).toBe('right.txt');
  expect((await lake.search({ query: 'Wann öffnet der Leuchtturm?' })).notice).toBeUndefined();
});

test('one command gets the model that finds the most, and where models are shared that of the search for tools too', () => {
  expect(setsToPull('/data/memorylake', 'multilingual-wide')).toEqual(['multilingual-wide', 'multilingual']);
  expect(setsToPull('/data/mine', 'multilingual-wide')).toEqual(['multilingual-wide']);
  expect(setsToPull('/data/memorylake', 'multilingual')).toEqual(['multilingual']);
});
