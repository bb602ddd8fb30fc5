import { privacySuite } from '@atoll-mcp/testing';
import { expect } from 'vitest';
import { cli } from './_program.ts';

const CALLS = [
  ['embedding.generate', { text: 'hello world' }],
  ['embedding.batch', { texts: Array.from({ length: 40 }, (_, i) => `text ${i}`) }],
  ['embedding.similarity', { query: 'a cat', texts: ['a kitten', 'a stock market'] }],
  ['embedding.tokens', { texts: ['hello world'] }],
  ['embedding.rerank', { query: 'a cat', documents: ['a stock market', 'a kitten'] }],
  ['embedding.verify', { text: 'hello world', embedding: [1, 2, 3] }],
  ['health.status', {}],
] as const;

privacySuite({
  cli,
  args: ['--workers', '2'],
  workout: async (client) => {
    for (const [name, args] of CALLS)
      expect((await client.callTool({ name, arguments: args })).isError ?? false, name).toBe(false);
    const { structuredContent } = await client.callTool({ name: 'model.info', arguments: {} });
    expect(structuredContent).toMatchObject({ backend: 'onnx' });
  },
});
