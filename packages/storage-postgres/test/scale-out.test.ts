import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connectHttp } from '@atoll-mcp/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, Programs } from './programs.ts';
import { makePostgres, type TestPostgres } from './server.ts';

let server: TestPostgres;
let programs: Programs;
let proxy: RoundRobin;
beforeAll(async () => {
  server = await makePostgres();
  programs = new Programs();
  const start = () => programs.listen('apps/aggregator', ['--storage', server.url]);
  proxy = await roundRobin(await Promise.all([start(), start()]));
}, 240_000);
afterAll(async () => {
  proxy.server.close();
  proxy.server.closeAllConnections();
  await programs.close();
  await server.remove();
});

const timeout = 120_000;

test('two aggregators behind any proxy are one to a modern client', { timeout }, async () => {
  const before = [...proxy.served];
  const client = await connectHttp(proxy.url, { era: 'modern' });
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) {
    await call(client, 'upload_tensor', { name, description: 'somewhere', tensor_data: [1, 2] });
  }
  for (const name of [...names, ...names.toReversed()]) {
    expect(await call(client, 'get_tensor', { name_or_uuid: name })).toMatchObject({ values: [1, 2] });
  }
  await client.close();
  for (const [index, served] of proxy.served.entries()) expect(served - before[index]!).toBeGreaterThan(4);
});

test('a legacy session that reaches the other process ends with 404, and a new one can begin', {
  timeout,
}, async () => {
  const hello = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  };
  const begun = await send(hello);
  const session = begun.headers.get('mcp-session-id');
  expect(begun.status).toBe(200);
  expect(session).toBeTruthy();
  const elsewhere = await send({ method: 'tools/list' }, session!);
  expect(elsewhere.status).toBe(404);
  const home = await send({ method: 'tools/list' }, session!);
  expect(home.status).toBe(200);
  await home.text();
  expect((await send(hello)).status).toBe(200);
});

function send(message: { method: string; params?: unknown }, session?: string): Promise<Response> {
  return fetch(proxy.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
}

interface RoundRobin {
  readonly server: Server;
  readonly url: string;
  /** How many requests each has had. */
  readonly served: number[];
}

/** The plainest balancer there is: each request goes to the next, whoever sent it. */
async function roundRobin(urls: readonly string[]): Promise<RoundRobin> {
  const served = urls.map(() => 0);
  let turn = 0;
  const server = createServer((from, to) => {
    const next = turn++ % urls.length;
    served[next]! += 1;
    const { method, headers } = from;
    const onward = request(urls[next]!, { method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, served, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp` };
}
