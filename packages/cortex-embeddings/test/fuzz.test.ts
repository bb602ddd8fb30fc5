import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory, fuzzSuite } from '@atoll-mcp/testing';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { contract, createEmbedder, createMcpServer, type Embedder } from '../src/index.ts';

let dataDir: string;
let embedder: Embedder;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cortex-fuzz-'));
  embedder = createEmbedder({ workers: 1, modelDir: join(dataDir, 'models') });
});

afterAll(async () => {
  await embedder.close();
  await rm(dataDir, { recursive: true, force: true });
});

fuzzSuite(contract, {
  words: ['all-MiniLM-L6-v2', 'a sentence about the sea', 'base64', 'client-1', 'int8'],
  corpus: new URL('corpus.json', import.meta.url),
  async connect() {
    const server = createMcpServer({ dataDir: await mkdtemp(join(dataDir, 'server-')) }, { embedder });
    onTestFinished(() => server.close());
    return connectInMemory(server);
  },
});
