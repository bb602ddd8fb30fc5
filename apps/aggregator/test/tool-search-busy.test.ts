import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLogger } from '@atoll-mcp/core';
import { expect, test, vi } from 'vitest';
import type { Entry } from '../src/catalog/catalog.ts';
import { ToolSearch } from '../src/search/tool-search.ts';
import { type EmbeddingModel, VectorCache } from '../src/search/vector-cache.ts';
import { tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 30_000 });

const member = { supervisor: { key: 'sky' } };
const definition = { name: 'forecast', description: 'Tells whether rain comes.', inputSchema: { type: 'object' } };
// The search reads nothing else of an entry.
const ENTRIES = [{ name: 'sky_forecast', ownName: 'forecast', definition, member }] as unknown as Entry[];

test('once the vectors of tools are made, that of a request is waited for on a busy machine too', async () => {
  const busyMs = 100;
  const model: EmbeddingModel = {
    identity: 'busy',
    embed: async (texts, options) => {
      if (options?.priority !== 'bulk') await pause(busyMs);
      return texts.map(() => [1, 0]);
    },
  };
  const search = new ToolSearch(ENTRIES, {
    models: async () => [model],
    cache: new VectorCache(join(tempDir(), 'vectors.json'), silentLogger),
    log: silentLogger,
    waitMs: 1,
  });
  expect(await search.find('雨伞', 5)).toEqual({ tools: [], usedMeaning: false });
  const usesMeaning = async () => (await search.find('雨伞', 5)).usedMeaning;
  await expect.poll(usesMeaning, { timeout: 20_000 }).toBe(true);
  expect(await search.find('雨伞', 5)).toMatchObject({
    tools: [{ entry: { name: 'sky_forecast' } }],
    usedMeaning: true,
  });
});

test('with vectors that were kept, the first search waits longer, for the model', async () => {
  const cache = () => new VectorCache(join(folder, 'vectors.bin'), silentLogger);
  const folder = tempDir();
  const modelWith = (loadMs: number): EmbeddingModel => ({
    identity: 'slow',
    embed: async (texts, options) => {
      if (options?.priority !== 'bulk') await pause(loadMs);
      return texts.map(() => [1, 0]);
    },
  });
  const searchWith = (kept: VectorCache, loadMs: number) =>
    new ToolSearch(ENTRIES, { models: async () => [modelWith(loadMs)], cache: kept, log: silentLogger, waitMs: 3_000 });
  await expect
    .poll(async () => (await searchWith(cache(), 0).find('rain', 5)).usedMeaning, { timeout: 20_000 })
    .toBe(true);
  const kept = cache();
  await kept.load();
  expect(await searchWith(kept, 4_000).find('雨伞', 5)).toMatchObject({ usedMeaning: true });
});

test('a request and the vectors of tools are computed at the same time', async () => {
  const started: string[] = [];
  let release = (): void => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const model: EmbeddingModel = {
    identity: 'both',
    embed: async (texts, options) => {
      started.push(options?.priority ?? 'interactive');
      if (new Set(started).size === 2) release();
      await both;
      return texts.map(() => [1, 0]);
    },
  };
  const cache = new VectorCache(join(tempDir(), 'vectors.bin'), silentLogger);
  const search = new ToolSearch(ENTRIES, { models: async () => [model], cache, log: silentLogger, waitMs: 15_000 });
  expect(await search.find('rain', 5)).toMatchObject({ usedMeaning: true });
});
