import { type Json, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { eventually, legacyServer, startAggregator } from './harness.ts';
import { HOSTILE_ANSWERS } from './hostile-answers.ts';
import { answer, initialized, serveRaw } from './raw-http.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const FORMS = ['a body', 'an event stream'] as const;
const tools = [
  { name: 'raw', inputSchema: { type: 'object' } },
  { name: 'echo', inputSchema: { type: 'object' } },
];

function request(): RequestContext {
  const { signal } = new AbortController();
  return { era: 'legacy', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {} };
}

const call = async (app: Aggregator, name: string, args: Json = {}): Promise<Json> =>
  parsedResult(await app.handle('tools/call', { name, arguments: args }, request()));

/** A server over HTTP that answers `raw` with whatever `reply` makes of the id of the call. */
async function startHostile(
  form: (typeof FORMS)[number],
  reply: (id: unknown) => string | Iterable<string>,
  headers: Record<string, string> = {},
): Promise<Aggregator> {
  const url = await serveRaw((body, _request, response) => {
    const { id, method, params } = body;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') return answer(response, { id, result: initialized() });
    if (method === 'tools/list') return answer(response, { id, result: { tools } });
    if (method !== 'tools/call') return answer(response, { id, error: { code: -32601, message: 'no' } });
    if ((params as Json).name === 'echo')
      return answer(response, { id, result: { content: [{ type: 'text', text: 'ok' }] } });
    const isStream = form === 'an event stream';
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers });
    response.on('error', () => {});
    const parts = reply(id);
    for (const part of typeof parts === 'string' ? [parts] : parts)
      response.write(isStream ? `data: ${part}\n\n` : part);
    response.end();
  });
  const app = startAggregator({
    mcpServers: { bad: { url, era: 'legacy', timeoutMs: 5_000 }, good: legacyServer() },
  });
  await eventually(() => app.status().every(({ state }) => state === 'up'));
  return app;
}

/** Both servers answer, whatever came before. */
async function expectAlive(app: Aggregator): Promise<void> {
  expect(textOf(await call(app, 'good_echo', { text: 'fine' }))).toBe('fine');
  await eventually(() =>
    call(app, 'bad_echo').then(
      (result) => textOf(result) === 'ok',
      () => false,
    ),
  );
  expect((await app.health()).status).toBe('ok');
}

const settled = (app: Aggregator) =>
  call(app, 'bad_raw').then(
    (result) => expect(result).toBeTypeOf('object'),
    (error: Error) => expect(error.message).toBeTypeOf('string'),
  );

for (const form of FORMS) {
  test.each(Object.entries(HOSTILE_ANSWERS))(`%s in ${form} is settled and harms nothing else`, async (_, raw) => {
    const app = await startHostile(form, (id) => raw.replaceAll('@ID@', String(id)));
    await settled(app);
    await expectAlive(app);
  });

  test(`a result nested 200,000 deep in ${form} fails that call only`, async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const app = await startHostile(
      form,
      (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`,
    );
    await expect(call(app, 'bad_raw')).rejects.toThrow(/nested|malformed/);
    await expectAlive(app);
  });

  test(`an answer beyond maxMessageBytes in ${form} fails that call only`, async () => {
    const part = 'x'.repeat(1_000_000);
    const app = await startHostile(form, function* () {
      for (let count = 0; count < (form === 'a body' ? 70 : 1); count += 1)
        yield form === 'a body' ? part : part.repeat(70);
    });
    await expect(call(app, 'bad_raw')).rejects.toThrow(/too long/);
    await expectAlive(app);
  });

  test(`half an answer in ${form} fails that call only`, async () => {
    const app = await startHostile(form, (id) => `{"jsonrpc":"2.0","id":${id},"result":{"con`);
    await expect(call(app, 'bad_raw')).rejects.toThrow();
    await expectAlive(app);
  });

  test(`answers to calls that were never made, in ${form}, are ignored`, async () => {
    const app = await startHostile(form, (id) =>
      JSON.stringify([
        { jsonrpc: '2.0', id: 99_999, result: { content: [{ type: 'text', text: 'forged' }] } },
        { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'real' }] } },
      ]),
    );
    expect(textOf(await call(app, 'bad_raw'))).toBe('real');
    await expectAlive(app);
  });
}

test('an event stream of a million empty events ends with its call', async () => {
  const app = await startHostile('an event stream', (id) => [
    '\n\n:\n\n'.repeat(200_000),
    `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"after"}]}}`,
  ]);
  expect(textOf(await call(app, 'bad_raw'))).toBe('after');
  await expectAlive(app);
});

test.each([301, 302, 307, 308])('a redirect with %d is not followed', async (status) => {
  let reached = 0;
  const target = await serveRaw((_body, _request, response) => {
    reached += 1;
    answer(response, { id: 1, result: {} });
  });
  const url = await serveRaw((_body, _request, response) => {
    response.writeHead(status, { location: target }).end();
  });
  const app = startAggregator({ mcpServers: { moved: { url } } });
  await eventually(() => app.status().some(({ state }) => state === 'waiting'));
  expect(reached).toBe(0);
});
