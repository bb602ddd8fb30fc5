import type { Contract, Json, RequestContext } from '@atoll-mcp/core';
import { toolsFor } from '@atoll-mcp/core';
import { connectTransport, createServer } from '@atoll-mcp/server';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { notesContract } from './fixtures/notes.ts';

const removed: string[] = [];
const remove = toolsFor<unknown>()({
  name: 'remove',
  title: 'Remove',
  description: 'Removes a note after the user has confirmed it.',
  input: z.object({ name: z.string().describe('What to remove') }),
  output: z.object({ outcome: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: [],
  async run({ name }, { confirm }) {
    const outcome = await confirm(`Remove ${name}?`);
    if (outcome === 'accepted') removed.push(name);
    return { outcome };
  },
});
const contract = { ...notesContract, tools: [remove] } as unknown as Contract<unknown>;
const app = () => createServer(contract, { service: {} });

type Reply = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };

async function connected(era: 'legacy' | 'modern', reply?: Reply) {
  const questions: string[] = [];
  const client = new Client(
    { name: 'test', version: '0' },
    {
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
      capabilities: reply ? { elicitation: { form: {} } } : {},
    },
  );
  if (reply) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message);
      return reply;
    });
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await connectTransport(app(), far);
  await client.connect(near);
  return { client, questions };
}

describe.each(['legacy', 'modern'] as const)('a tool that asks a %s client for confirmation', (era) => {
  test.each<[Reply, string]>([
    [{ action: 'accept', content: { confirm: true } }, 'accepted'],
    [{ action: 'accept', content: { confirm: false } }, 'declined'],
    [{ action: 'decline' }, 'declined'],
    [{ action: 'cancel' }, 'declined'],
  ])('takes %j as %s', async (reply, outcome) => {
    removed.length = 0;
    const { client, questions } = await connected(era, reply);
    const answer = await client.callTool({ name: 'remove', arguments: { name: 'x' } });
    expect(answer.structuredContent).toEqual({ outcome });
    expect(questions).toEqual(['Remove x?']);
    expect(removed).toEqual(outcome === 'accepted' ? ['x'] : []);
    await client.close();
  });

  test('is told when the client cannot ask', async () => {
    const { client } = await connected(era);
    const answer = await client.callTool({ name: 'remove', arguments: { name: 'x' } });
    expect(answer.structuredContent).toEqual({ outcome: 'unavailable' });
    await client.close();
  });
});

describe('an answer', () => {
  const request = (more: Partial<RequestContext>): RequestContext => ({
    era: 'modern',
    client: { id: 'test' },
    capabilities: { elicitation: { form: {} } },
    meta: {},
    signal: new AbortController().signal,
    notify: async () => {},
    ...more,
  });
  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };

  test('counts only for the question it was given to', async () => {
    removed.length = 0;
    const server = app();
    const call = async (name: string, more: Partial<RequestContext>) =>
      (await server.handle('tools/call', { name: 'remove', arguments: { name } }, request(more))) as Json;
    const { requestState } = await call('x', {});
    expect(typeof requestState).toBe('string');
    const state = String(requestState);
    for (const [name, more] of [
      ['y', { inputResponses, requestState: state }],
      ['x', { inputResponses, requestState: 'forged' }],
      ['x', { inputResponses }],
    ] as const) {
      expect(await call(name, more)).toMatchObject({ resultType: 'input_required' });
    }
    expect(removed).toEqual([]);
    expect(await call('x', { inputResponses, requestState: state })).toMatchObject({
      structuredContent: { outcome: 'accepted' },
    });
    expect(removed).toEqual(['x']);
  });
});
