import { connectInMemory } from '@atoll-mcp/testing';
import { describe, expect, test } from 'vitest';
import { notesServer } from './fixtures/notes.ts';

describe.each(['legacy', 'modern'] as const)('a %s client in memory', (era) => {
  test('lists tools with schemas that name no dialect', async () => {
    const client = await connectInMemory(notesServer(), { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['note.add', 'note.count', 'note.crash']);
    expect(JSON.stringify(tools)).not.toContain('$schema');
    await client.close();
  });

  test('calls a tool by either spelling', async () => {
    const client = await connectInMemory(notesServer(), { era });
    for (const name of ['note.add', 'note_add']) {
      const answer = await client.callTool({ name, arguments: { text: 'hello' } });
      expect(answer.structuredContent).toEqual({ number: name === 'note.add' ? 0 : 1 });
      expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
    }
    await client.close();
  });

  test('gets bad input, failures and crashes in the envelope', async () => {
    const client = await connectInMemory(notesServer(Array(250).fill('x')), { era });
    await client.listTools();
    const bad = await client.callTool({ name: 'note.add', arguments: { text: '' } });
    expect(bad).toMatchObject({ isError: true, structuredContent: { code: 'INVALID' } });
    const none = await client.callTool({ name: 'note.add', arguments: {} });
    expect(none).toMatchObject({ isError: true, structuredContent: { message: 'text: is required' } });
    const full = await client.callTool({ name: 'note.add', arguments: { text: 'one more' } });
    expect(full).toMatchObject({ isError: true, structuredContent: { code: 'FULL' } });
    const crash = await client.callTool({ name: 'note.crash', arguments: {} });
    expect(crash).toMatchObject({ isError: true, structuredContent: { code: 'INTERNAL' } });
    expect(JSON.stringify(crash)).not.toContain('inner detail');
    await client.close();
  });

  test('gets a sentence, a picture and progress', async () => {
    const client = await connectInMemory(notesServer(['a']), { era });
    await client.listTools();
    const reports: unknown[] = [];
    const answer = await client.callTool(
      { name: 'note.count', arguments: {} },
      { onprogress: (report) => reports.push(report) },
    );
    const sentence = 'There are 1 notes.';
    expect(answer.structuredContent).toEqual(era === 'legacy' ? { result: sentence } : sentence);
    expect(answer.content).toEqual([
      { type: 'text', text: sentence },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    expect(reports).toEqual([{ progress: 1, total: 1, message: 'counted' }]);
    await client.close();
  });

  test('walks all pages of resources, reads one and completes its variable', async () => {
    const client = await connectInMemory(notesServer(Array.from({ length: 230 }, (_, n) => `note ${n}`)), { era });
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor ? { cursor } : {});
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(uris).size).toBe(230);
    const { contents } = await client.readResource({ uri: 'note://7' });
    expect(contents).toMatchObject([{ uri: 'note://7', text: 'note 7' }]);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'note://{number}' },
      argument: { name: 'number', value: '22' },
    });
    expect(completion.values).toContain('229');
    await expect(client.readResource({ uri: 'note://999' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('gets a prompt, and is told which argument is missing', async () => {
    const client = await connectInMemory(notesServer(), { era });
    const { messages } = await client.getPrompt({ name: 'summarise', arguments: { tone: 'kindly' } });
    expect(messages[0]?.content).toMatchObject({ text: 'Summarise my notes, kindly.' });
    await expect(client.getPrompt({ name: 'summarise', arguments: {} })).rejects.toThrow(/also needs: tone/);
    await client.close();
  });
});
