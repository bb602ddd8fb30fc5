import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Era, McpApp } from '@atoll-mcp/core';
import { connectTransport } from '@atoll-mcp/server';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { eventually, startAggregator, tempDir } from '../harness.ts';

const SHOP = join(import.meta.dirname, '../fixtures/shop-server.mjs');

export function shopServer(more: object = {}, env: Record<string, string> = {}) {
  return { command: process.execPath, args: [SHOP], env, ...more };
}

/** What a program came to. */
export interface Ran {
  readonly result?: unknown;
  readonly output: string;
  readonly calls: { tool: string; outcome: string; count?: number }[];
  readonly calls_total: number;
  readonly error?: string;
  readonly isError: boolean;
  readonly plan?: { id: string; writes: { tool: string; arguments: Record<string, unknown> }[] };
}

export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, boolean>;
}

/** A client of an app; with `answer` it can be asked, and says so. */
export async function connect(
  app: McpApp,
  options: { era?: Era; answer?: (message: string) => ElicitationAnswer } = {},
) {
  const { era = 'modern', answer } = options;
  const client = new Client(
    { name: 'program-test', version: '1.0.0' },
    {
      capabilities: answer ? { elicitation: { form: {} } } : {},
      ...(era === 'modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  const asked: string[] = [];
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return answer(params.message) as never;
    });
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await connectTransport(app, far as never);
  await client.connect(near);
  const call = async (name: string, args: object = {}, signal?: AbortSignal) =>
    client.callTool({ name, arguments: args as never }, { timeout: 60_000, ...(signal && { signal }) });
  const run = async (code: string, more: object = {}): Promise<Ran> => {
    const { structuredContent, isError } = await call('run_tools', { ...(code !== '' && { code }), ...more });
    return { ...(structuredContent as object), isError: isError === true } as unknown as Ran;
  };
  return { client, asked, call, run };
}

/** An aggregator in code mode with the shop, a client on it, and what arrives at the shop. */
export async function shop(
  options: {
    settings?: object;
    dataDir?: string;
    server?: object;
    env?: Record<string, string>;
    era?: Era;
    answer?: (message: string) => ElicitationAnswer;
  } = {},
) {
  const journal = join(tempDir(), 'journal');
  const server = shopServer({ prefix: '', ...options.server }, { SHOP_JOURNAL: journal, ...options.env });
  const { dataDir } = options;
  const settings = { mode: 'code', mcpServers: { shop: server }, ...options.settings };
  const app = startAggregator(settings, { ...(dataDir !== undefined && { dataDir }) });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  const connected = await connect(app, options);
  const arrived = () =>
    existsSync(journal)
      ? readFileSync(journal, 'utf8')
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as { method: string; name: string; args?: Record<string, unknown> })
      : [];
  return { app, ...connected, arrived };
}
