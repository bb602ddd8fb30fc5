import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/testing';
import { afterAll, expect, test } from 'vitest';
import { createMemoryLakeServer } from '../src/server.ts';
import { afterTests, cleanUp, configFor, newFolder } from './open-test-lake.ts';

afterAll(cleanUp);

test('a data folder that cannot be used is named, with what to look at', async () => {
  const file = join(await newFolder(), 'a-file');
  await writeFile(file, '');
  const app = createMemoryLakeServer(configFor(file, '--no-embed'), { log: silentLogger });
  afterTests(() => app.close());
  const client = await connectInMemory(app);
  expect(await client.callTool({ name: 'list_memories', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^The lake could not use its store: \S+a-file can't be .*who may write/) }],
  });
  await client.close();
});
