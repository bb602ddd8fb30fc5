import { connectInMemory, fuzzSuite } from '@atoll-mcp/testing';
import { onTestFinished } from 'vitest';
import { contract, createMstyServer, TOOLSETS } from '../src/index.ts';
import { closedPorts, modelService } from './fixtures/model-service.ts';
import { studioHome } from './fixtures/studio.ts';

fuzzSuite(contract, {
  words: ['llama3.2:3b', 'conversations', 'chat_sessions', 'local_ai', 'markdown', 'coding', 'Hello {{name}}'],
  corpus: new URL('corpus.json', import.meta.url),
  runs: 40,
  async connect() {
    const { home } = studioHome();
    const { port } = await modelService();
    const [, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort] = await closedPorts();
    const ports = { aiPort: port, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort };
    const server = createMstyServer({ home, toolsets: [...TOOLSETS], ...ports, timeout: 30, dataDir: `${home}/atoll` });
    onTestFinished(() => server.close());
    return connectInMemory(server);
  },
});
