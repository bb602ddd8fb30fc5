import { join } from 'node:path';
import { type Json, parsedResult, silentLogger } from '@atoll-mcp/core';
import { contract as cortex } from '@atoll-mcp/cortex-embeddings/contract';
import { contract as lake } from '@atoll-mcp/memorylake/contract';
import { contract as msty } from '@atoll-mcp/msty-admin/contract';
import { contract as tensors } from '@atoll-mcp/tensor-directory/contract';
import { expect, test, vi } from 'vitest';
import type { Entry } from '../src/catalog/catalog.ts';
import { ToolSearch } from '../src/search/tool-search.ts';
import { type EmbeddingModel, VectorCache } from '../src/search/vector-cache.ts';
import { connectAskable } from './clients.ts';
import { startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const CONTRACTS = [cortex, lake, msty, tensors];

test('every built-in tool has keywords that its name, title and description lack', () => {
  for (const { name, tools } of CONTRACTS) {
    for (const { name: tool, title, description, keywords = '' } of tools) {
      const listed = new Set(`${tool} ${title} ${description}`.toLowerCase().match(/\w+/g));
      const added =
        keywords
          .toLowerCase()
          .match(/\w+/g)
          ?.filter((word) => !listed.has(word)) ?? [];
      expect(added.length, `${name}: ${tool}`).toBeGreaterThan(1);
    }
  }
});

test('keywords find a tool by words alone, and no list shows them', async () => {
  const app = startAggregator({
    builtin: true,
    servers: { 'tensor-directory': {}, 'cortex-embeddings': { backend: 'openai' } },
  });
  const { client } = await connectAskable(app, 'modern');
  const find = async (query: string) => {
    const answer = await client.callTool({ name: 'search_tools', arguments: { query, limit: 3 } });
    return (answer.structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };
  const { signal } = new AbortController();
  const context = { era: 'modern', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {} };
  const listed = JSON.stringify(parsedResult(await app.handle('tools/list', {}, context as never)) as Json);
  expect(await find('inference with a neural network')).toContain('run_model');
  expect(await find('vectorise a text')).toContain('embedding_generate');

  const described = await client.callTool({ name: 'describe_tool', arguments: { name: ['run_model'] } });
  const [runModel] = tensors.tools.filter(({ name }) => name === 'run_model');
  expect(runModel?.keywords).toBeTruthy();
  for (const text of [listed, JSON.stringify(described)]) expect(text).not.toContain(runModel?.keywords);
});

test('the meaning of keywords finds a tool whose description is about something else', async () => {
  const app = { keywordsOf: (tool: string) => (tool === 'plain' ? 'umbrella' : undefined) };
  const entries = ['other', 'plain'].map((name) => ({
    name,
    ownName: name,
    definition: { name, description: 'Sends a letter.' },
    member: { supervisor: { key: 'one', link: { serverInfo: {}, app } } },
    // The search reads nothing else of a member.
  })) as unknown as Entry[];
  const embed: EmbeddingModel['embed'] = async (texts) =>
    texts.map((text) => (/umbrella|rain/.test(text) ? [1, 0] : [0, 1]));
  const search = new ToolSearch(entries, {
    models: async () => [{ identity: 'topics', embed }],
    cache: new VectorCache(join(tempDir(), 'vectors.bin'), silentLogger),
    log: silentLogger,
    waitMs: 30_000,
  });
  const { tools, usedMeaning } = await search.find('rain', 5);
  expect(usedMeaning).toBe(true);
  expect(tools.map(({ entry }) => entry.name)).toEqual(['plain']);
});
