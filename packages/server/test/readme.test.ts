import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { connectStdio } from '@atoll-mcp/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from './fixtures/bundle.ts';

const example = new URL('../examples/notes.ts', import.meta.url);

describe('the example of the README', () => {
  let program: string;
  beforeAll(async () => {
    program = await bundle(example);
  });
  afterAll(() => rmSync(dirname(program), { recursive: true }));

  test('is shown as it is, in under sixty lines', () => {
    const source = readFileSync(example, 'utf8').trim();
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${source}\n\`\`\``);
    expect(source.split('\n').length).toBeLessThan(60);
  });

  test('keeps a note, finds it, and says when there is none', async () => {
    const client = await connectStdio({ command: process.execPath, args: [program] });
    await client.callTool({ name: 'add_note', arguments: { text: 'buy milk' } });
    const found = await client.callTool({ name: 'find_notes', arguments: { word: 'milk' } });
    expect(found.structuredContent).toEqual({ notes: ['buy milk'] });
    const none = await client.callTool({ name: 'find_notes', arguments: { word: 'bread' } });
    expect(none).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('No note contains "bread"') }],
    });
    await client.close();
  });
});
