import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, expectTypeOf, test } from 'vitest';
import { type ContractClient, clientFor, ToolCallError } from '../src/client/client-for.ts';
import { notesContract, notesServer } from './fixtures/notes.ts';

async function open(notes: string[] = []): Promise<ContractClient<typeof notesContract>> {
  const [a, b] = InMemoryTransport.createLinkedPair();
  await notesServer(notes).connect(a);
  return clientFor(notesContract, b);
}

test('calls tools with the types of the contract', async () => {
  const client = await open();
  const added = await client.call('note.add', { text: 'first' });
  expectTypeOf(added).toEqualTypeOf<{ number: number }>();
  expect(added).toEqual({ number: 0 });
  // A sentence, which 2025-era answers wrap as { result }.
  const counted = await client.call('note.count', {});
  expectTypeOf(counted).toEqualTypeOf<string>();
  expect(counted).toBe('There are 1 notes.');
  // @ts-expect-error: there is no such tool in the contract
  await expect(client.call('note.remove', {})).rejects.toThrow(/no tool "note.remove"/);
  await client.close();
});

test('a failure is thrown with its code, typed by what the tool declares', async () => {
  const client = await open(Array.from({ length: 250 }, String));
  const error = await client.call('note.add', { text: 'one too many' }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ToolCallError);
  if (!client.isFailureOf('note.add', error)) throw error;
  expectTypeOf(error.code).toEqualTypeOf<'FULL' | undefined>();
  expect(error).toMatchObject({ code: 'FULL', message: expect.stringContaining('delete one first') });
  await client.close();
});
