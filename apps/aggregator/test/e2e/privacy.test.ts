import { fileURLToPath } from 'node:url';
import { privacySuite } from '@atoll-mcp/testing';
import { expect } from 'vitest';

const CALLS = [
  ['atoll_status', {}],
  ['upload_tensor', { name: 'bias', description: 'small', tensor_data: [1, 2, 3] }],
  ['add_memory', { name: 'tides.txt', text: 'The moon pulls the sea, and so the tide comes twice a day.' }],
  ['search_memory', { query: 'moon' }],
  ['embedding_generate', { text: 'hello world' }],
  ['search_tools', { query: 'store a tensor' }],
] as const;

privacySuite({
  cli: fileURLToPath(new URL('../../dist/cli.js', import.meta.url)),
  args: ['--mode', 'search'],
  workout: async (client) => {
    for (const [name, args] of CALLS) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false, `${name}: ${JSON.stringify(result.content)}`).toBe(false);
    }
  },
});
