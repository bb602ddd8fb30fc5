import { parsedResult } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/core/testing';
import { expect, test } from 'vitest';
import { legacyServer, startAggregator } from './harness.ts';

const names = async (client: Awaited<ReturnType<typeof connectInMemory>>) =>
  (await client.listTools()).tools.map(({ name }) => name);

test.each(['legacy', 'modern'] as const)(
  'a %s client sees and calls the tools of a legacy server under its prefix',
  async (era) => {
    const app = startAggregator({
      mcpServers: { one: legacyServer(), two: legacyServer({ FIXTURE_NAME: 'second' }, { prefix: '' }) },
    });
    const client = await connectInMemory(app, { era });
    const listed = await names(client);
    expect(listed).toContain('one_echo');
    expect(listed).toContain('echo');
    expect(listed).toContain('one_with_dots_and-more');
    const answer = await client.callTool({ name: 'one_echo', arguments: { text: 'hello' } });
    expect(answer.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(parsedResult(answer as never).structuredContent).toEqual({ text: 'hello' });
  },
);
