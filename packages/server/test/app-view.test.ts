import { appView } from '@atoll-mcp/core';
import { createServer } from '@atoll-mcp/server';
import { connectInMemory } from '@atoll-mcp/testing';
import { expect, test } from 'vitest';
import { type Notes, notesContract } from './fixtures/notes.ts';

test.each(['legacy', 'modern'] as const)(
  'a %s client finds a view and reads it as a page that needs no network',
  async (era) => {
    const view = appView<Notes>({
      uri: 'ui://notes/list',
      name: 'list-view',
      title: 'Notes',
      description: 'Shows notes.',
      style: '',
      show: "add(root, 'p', sentence(result));",
    });
    const server = createServer(
      { ...notesContract, resources: [view] },
      {
        service: { add: async () => 0, all: async () => [] },
      },
    );
    const client = await connectInMemory(server, { era });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: 'ui://notes/list', mimeType: 'text/html;profile=mcp-app' }]);
    const { contents } = await client.readResource({ uri: 'ui://notes/list' });
    const text = String((contents[0] as { text?: string }).text);
    expect(text).toContain("'ui/initialize'");
    expect(text).not.toMatch(/https?:\/\//);
    await client.close();
  },
);
