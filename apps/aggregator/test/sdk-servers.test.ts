import { join } from 'node:path';
import { connectInMemory } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import { textOf } from './clients.ts';
import { eventually, startAggregator } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SERVER = join(import.meta.dirname, 'fixtures/sdk-stdio.mjs');

test.each([
  ['v1', 'legacy'],
  ['v2', 'modern'],
] as const)(
  'a server on the official SDK %s is met in its %s era and answers clients of both',
  async (version, era) => {
    const app = startAggregator({ mcpServers: { one: { command: process.execPath, args: [SERVER, version] } } });
    await eventually(() => app.status()[0]?.state === 'up', 40_000);
    expect(app.status()[0]).toMatchObject({ era, server: `${version} 1.0.0` });
    for (const clientEra of ['legacy', 'modern'] as const) {
      const client = await connectInMemory(app, { era: clientEra });
      expect(textOf(await client.callTool({ name: 'one_hello', arguments: {} }))).toBe(`hello from ${version}`);
    }
  },
);
