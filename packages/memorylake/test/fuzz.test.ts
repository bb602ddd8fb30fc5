import { silentLogger } from '@atoll-mcp/core';
import { connectInMemory, fuzzSuite } from '@atoll-mcp/testing';
import { onTestFinished } from 'vitest';
import { contract } from '../src/contract.ts';
import { createMemoryLakeServer } from '../src/server.ts';
import { cleanUp, configFor, hashEmbedder, newFolder } from './open-test-lake.ts';

const words = ['tides.csv', 'tide', 'txt_file', 'python', 'print(1)', 'SELECT * FROM tides', 'harbour'];

fuzzSuite(contract, {
  words,
  corpus: new URL('corpus.json', import.meta.url),
  async connect() {
    const app = createMemoryLakeServer(configFor(await newFolder()), { embedder: hashEmbedder(), log: silentLogger });
    onTestFinished(async () => {
      await app.close();
      await cleanUp();
    });
    const client = await connectInMemory(app);
    const text = 'harbour,height\nnorth,2.5\nsouth,3.1\n';
    const { structuredContent } = await client.callTool({ name: 'add_memory', arguments: { name: 'tides.csv', text } });
    words.push((structuredContent as { id: string }).id);
    return client;
  },
});
