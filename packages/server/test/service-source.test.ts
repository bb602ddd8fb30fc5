import { connectInMemory } from '@atoll-mcp/testing';
import { expect, test } from 'vitest';
import { createServer } from '../src/create-server.ts';
import { type Notes, notesContract } from './fixtures/notes.ts';

const notes: Notes = { add: async () => 0, all: async () => [] };
const add = { name: 'note.add', arguments: { text: 'hello' } };

function counted(open: () => Promise<Notes> = async () => notes) {
  const counts = { opened: 0, closed: 0, rest: 0 };
  const server = createServer(notesContract, {
    service: {
      open() {
        counts.opened += 1;
        return open();
      },
      async close() {
        counts.closed += 1;
      },
    },
    close: async () => {
      counts.rest = counts.closed;
    },
  });
  return { server, counts };
}

test('a service is opened once, by the first call that needs it, and closed with the server', async () => {
  const { server, counts } = counted();
  const client = await connectInMemory(server);
  await client.listTools();
  expect(counts.opened).toBe(0);
  await Promise.all([client.callTool(add), client.callTool(add), server.service()]);
  await client.close();
  await server.close();
  expect(counts).toEqual({ opened: 1, closed: 1, rest: 1 });
});

test('a service that was never opened is not closed', async () => {
  const { server, counts } = counted();
  await server.close();
  expect(counts).toEqual({ opened: 0, closed: 0, rest: 0 });
});

test('a failed opening is tried again by the next call and leaves nothing to close', async () => {
  let isBroken = true;
  const { server, counts } = counted(async () => {
    if (isBroken) throw new Error('no disk');
    return notes;
  });
  await expect(server.service()).rejects.toThrow('no disk');
  await server.close();
  expect(counts).toEqual({ opened: 1, closed: 0, rest: 0 });
  isBroken = false;
  await expect(server.service()).resolves.toBe(notes);
  expect(counts.opened).toBe(2);
});

test('routes share the opened service with tools', async () => {
  let given: (() => Promise<Notes>) | undefined;
  const server = createServer(notesContract, {
    service: { open: async () => ({ ...notes }) },
    routes(service) {
      given = service;
      return [];
    },
  });
  expect(await given?.()).toBe(await server.service());
});
