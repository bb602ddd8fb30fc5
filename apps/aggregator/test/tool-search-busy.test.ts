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
