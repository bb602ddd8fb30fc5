import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import type { Entry } from '../src/catalog/catalog.ts';
import { ToolSearch } from '../src/search/tool-search.ts';
import { type EmbeddingModel, VectorCache } from '../src/search/vector-cache.ts';
import { tempDir } from './harness.ts';

const DESCRIPTIONS = { weather: 'Forecast of rain and sun.', mail: 'Sends a letter.', sum: 'Adds numbers.' };

const ENTRIES = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  ownName: name,
  definition: { name, description, inputSchema: { type: 'object' } },
  member: { supervisor: { key: 'one' } },
  // The search reads nothing else of a member.
})) as unknown as Entry[];

/** A model whose vectors tell which of three topics a text is about. */
function topicModel(identity = 'topics') {
  const computed: string[] = [];
  const topics = [/rain|umbrella/i, /letter|post/i, /number|arithmetic/i];
  const model: EmbeddingModel = {
    identity,
    embed: async (texts) => {
      computed.push(...texts);
      return texts.map((text) => topics.map((topic) => (topic.test(text) ? 1 : 0)));
    },
  };
  return { model, computed };
}

const cacheIn = (folder: string) => new VectorCache(join(folder, 'aggregator', 'vectors.json'), silentLogger);

test('what means the same is found without a common word', async () => {
  const search = new ToolSearch(ENTRIES, {
    model: async () => topicModel().model,
    cache: cacheIn(tempDir()),
    log: silentLogger,
    waitMs: 30_000,
  });
  const { entries, usedMeaning } = await search.find('umbrella', 2);
  expect(entries.map(({ name }) => name)).toEqual(['weather']);
  expect(usedMeaning).toBe(true);
});

test('a search does not wait for a model that is not ready, and says that it used words', async () => {
  const search = new ToolSearch(ENTRIES, {
    model: () => new Promise(() => {}),
    cache: cacheIn(tempDir()),
    log: silentLogger,
    waitMs: 1,
  });
  expect(await search.find('send a letter', 2)).toMatchObject({ entries: [{ name: 'mail' }], usedMeaning: false });
});

test('vectors are kept over a restart, per text and model, in a private file', async () => {
  const folder = tempDir();
  const first = topicModel();
  await cacheIn(folder).embed(first.model, ['rain', 'letter']);
  expect(first.computed).toEqual(['rain', 'letter']);
  const again = topicModel();
  expect(await cacheIn(folder).embed(again.model, ['letter', 'rain', 'number'])).toEqual([
    new Float32Array([0, 1, 0]),
    new Float32Array([1, 0, 0]),
    new Float32Array([0, 0, 1]),
  ]);
  expect(again.computed).toEqual(['number']);
  const other = topicModel('another');
  await cacheIn(folder).embed(other.model, ['rain']);
  expect(other.computed).toEqual(['rain']);
  expect(statSync(join(folder, 'aggregator', 'vectors.json')).mode & 0o077).toBe(0);
});

test.each(['', '{', '[]', 'null', '{"x":1}', '{"__proto__":"AAAA"}', '['.repeat(100_000)])(
  'a damaged file of vectors (%#) costs only their computation',
  async (text) => {
    const folder = tempDir();
    await cacheIn(folder).embed(topicModel().model, ['rain']);
    const file = join(folder, 'aggregator', 'vectors.json');
    writeFileSync(file, text);
    const { model, computed } = topicModel();
    expect(await cacheIn(folder).embed(model, ['rain'])).toEqual([new Float32Array([1, 0, 0])]);
    expect(computed).toEqual(['rain']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toBeTypeOf('object');
  },
);
