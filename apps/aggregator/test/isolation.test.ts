import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { childEnvironment } from '../src/upstreams/child-environment.ts';
import { eventually, legacyServer, startAggregator, tempDir } from './harness.ts';

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

async function send(app: Aggregator, method: string, params: Json, more: Partial<RequestContext> = {}): Promise<Json> {
  return parsedResult(await app.handle(method, params, request(more)));
}

const ENV = {
  PATH: '/bin',
  HOME: '/home/ada',
  LC_ALL: 'C',
  OPENAI_API_KEY: 'secret',
  OTHER_TOKEN: 'secret',
  ATOLL_AUTH_TOKEN: 'secret',
  GIVEN: 'yes',
};

test('a child gets the usual variables and what inheritEnv names, never a token of Atoll', () => {
  expect(childEnvironment(ENV, [])).toEqual({ PATH: '/bin', HOME: '/home/ada', LC_ALL: 'C' });
  expect(childEnvironment(ENV, ['GIVEN', 'ATOLL_AUTH_TOKEN'])).toMatchObject({ GIVEN: 'yes' });
  expect(childEnvironment(ENV, ['GIVEN'])).not.toHaveProperty('OPENAI_API_KEY');
  const all = childEnvironment(ENV, ['*']);
  expect(all).toHaveProperty('OPENAI_API_KEY');
  expect(all).not.toHaveProperty('ATOLL_AUTH_TOKEN');
});

test("a server process does not see another server's variables", async () => {
  const env = { PATH: process.env.PATH, SECRET_OF_OTHER: 'secret', SHARED: 'shared', OWN: 'own' };
  const app = startAggregator(
    {
      inheritEnv: ['SHARED'],
      mcpServers: {
        one: legacyServer({}, { inheritEnv: ['OWN'] }),
        two: legacyServer({ GIVEN: '$' + '{SECRET_OF_OTHER}' }),
      },
    },
    { env },
  );
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  const seen = async (name: string) => {
    const answer = await send(app, 'tools/call', { name, arguments: {} });
    return JSON.parse((answer.content as { text: string }[])[0]?.text ?? '{}') as Json;
  };
  const [one, two] = [await seen('one_environment'), await seen('two_environment')];
  expect(one).toMatchObject({ SHARED: 'shared', OWN: 'own' });
  expect(JSON.stringify(one)).not.toContain('secret');
  expect(two).toMatchObject({ SHARED: 'shared', GIVEN: 'secret' });
  expect(two).not.toHaveProperty('OWN');
});

test('a token that is limited to a view sees only its servers in status, health and metrics', async () => {
  const app = startAggregator({
    mcpServers: { one: legacyServer(), two: legacyServer() },
    views: { small: { servers: ['one'] } },
  });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  for (const name of ['one_echo', 'two_echo']) await send(app, 'tools/call', { name, arguments: { text: 'x' } });
  const principal = { id: 'ada', views: ['small'] };
  const status = await send(app, 'tools/call', { name: 'atoll_status', arguments: {} }, { principal });
  const resource = await send(app, 'resources/read', { uri: 'atoll://status' }, { principal });
  const seen = [status, resource, await app.health({ principal }), await app.metrics({ principal })];
  for (const part of seen) {
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    expect(text).toContain('one');
    expect(text).not.toMatch(/\btwo\b/);
  }
  for (const part of [await app.health(), await app.metrics()]) expect(JSON.stringify(part)).toMatch(/\btwo\b/);
});

test('the health is degraded when the data folder is gone', async () => {
  const dataDir = join(tempDir(), 'data');
  mkdirSync(dataDir);
  const app = startAggregator({ mcpServers: { one: legacyServer() } }, { dataDir });
  await eventually(async () => (await app.health()).status === 'ok');
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  rmSync(dataDir, { recursive: true });
  expect(await app.health()).toMatchObject({ status: 'degraded', data_folder: 'the data folder is missing' });
});
