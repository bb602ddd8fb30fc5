import type { Era, McpApp } from '@atoll-mcp/core';
import { connectTransport } from '@atoll-mcp/server';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';

export interface Asked {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export interface AskableClient {
  readonly client: Client;
  /** What it was asked, in order. */
  readonly asked: Asked[];
}

/** A client that answers questions: elicitation with its name, sampling with its name, roots with one folder. */
export async function connectAskable(app: McpApp, era: Era, name = 'asked'): Promise<AskableClient> {
  const client = new Client(
    { name, version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  const asked: Asked[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push({ method: 'elicitation/create', params: params as never });
    return { action: 'accept', content: { name } };
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    asked.push({ method: 'sampling/createMessage', params: params as never });
    return { role: 'assistant', model: name, content: { type: 'text', text: `sampled by ${name}` } };
  });
  client.setRequestHandler('roots/list', async () => {
    asked.push({ method: 'roots/list', params: {} });
    return { roots: [{ uri: `file:///${name}` }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await connectTransport(app, far as never);
  await client.connect(near);
  return { client, asked };
}

export function textOf(answer: unknown): string {
  const { content } = answer as { content: { text?: string }[] };
  return content.map(({ text }) => text ?? '').join('');
}
