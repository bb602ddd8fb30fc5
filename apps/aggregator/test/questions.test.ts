import { join } from 'node:path';
import { type Json, ProtocolFault, parsedResult, type RequestContext } from '@atoll-mcp/core';
import { serveHttp } from '@atoll-mcp/server';
import { everythingApp } from '@atoll-mcp/testing';
import { expect, test, vi } from 'vitest';
import { connectAskable, textOf } from './clients.ts';
import { after, eventually, journalOf, legacyServer, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const EVERYTHING = join(import.meta.dirname, 'fixtures/everything-stdio.mjs');
const everything = (env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [EVERYTHING],
  env,
  prefix: '',
});

async function everythingOverHttp() {
  const server = await serveHttp(everythingApp());
  after(() => server.close());
  return { url: server.url, prefix: '' };
}

const ERAS = ['legacy', 'modern'] as const;

test.each(ERAS)('a legacy server may ask a %s client for a form, a completion and its folders', async (era) => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const { client, asked } = await connectAskable(app, era, 'Ada');
  expect(textOf(await client.callTool({ name: 'one_ask_name', arguments: { text: 'a ship' } }))).toContain(
    '"name":"Ada"',
  );
  expect(textOf(await client.callTool({ name: 'one_ask_model', arguments: { text: 'hi' } }))).toContain(
    'sampled by Ada',
  );
  expect(textOf(await client.callTool({ name: 'one_ask_roots', arguments: {} }))).toContain('file:///Ada');
  expect(asked.map(({ method }) => method)).toEqual(['elicitation/create', 'sampling/createMessage', 'roots/list']);
  expect(asked[0]?.params.message).toBe('Name for a ship?');
});

test.each(ERAS)('a modern server over stdio may ask a %s client', async (era) => {
  const app = startAggregator({ mcpServers: { one: everything({ ERA: 'modern' }) } });
  const { client } = await connectAskable(app, era, 'Ada');
  const answer = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
  expect(textOf(answer)).toContain('Hello, Ada!');
  const rounds = await client.callTool({ name: 'test_input_required_result_multi_round', arguments: {} });
  expect(textOf(rounds)).toContain('Answered');
});

test.each(ERAS)('a server of both eras over HTTP may ask a %s client in the way of its era', async (era) => {
  const app = startAggregator({ mcpServers: { one: await everythingOverHttp() } });
  const { client } = await connectAskable(app, era, 'Ada');
  const answer = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
  expect(textOf(answer)).toContain('Hello, Ada!');
  if (era === 'modern') return;
  const sampled = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'hi' } });
  expect(textOf(sampled)).toContain('sampled by Ada');
});

test('a server of both eras over stdio asks an older client in the older way', async () => {
  const app = startAggregator({ mcpServers: { one: everything() } });
  const { client } = await connectAskable(app, 'legacy', 'Ada');
  expect(textOf(await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } }))).toContain('Ada');
});

test('a question goes to the client whose call it belongs to, never to another', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const clients = await Promise.all(
    ['Ada', 'Bea', 'Cleo'].map((name, index) => connectAskable(app, index === 1 ? 'modern' : 'legacy', name)),
  );
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      clients.map(({ client }, index) =>
        client.callTool({ name: 'one_ask_name', arguments: { text: `client ${index}` } }),
      ),
    );
    expect(answers.map(textOf).map((text) => JSON.parse(text).answer.content.name)).toEqual(['Ada', 'Bea', 'Cleo']);
  }
  clients.forEach(({ asked }, index) => {
    expect(asked.map(({ params }) => params.message)).toEqual(Array(3).fill(`Name for client ${index}?`));
  });
});

test('a question finds its caller although others have calls under way', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const ada = await connectAskable(app, 'legacy', 'Ada');
  const bea = await connectAskable(app, 'legacy', 'Bea');
  await bea.client.callTool({ name: 'one_slow', arguments: { ms: 1 } });
  const slow = bea.client.callTool({ name: 'one_slow', arguments: { ms: 400 } });
  const answer = await ada.client.callTool({ name: 'one_ask_name', arguments: { text: 'x' } });
  expect(textOf(answer)).toContain('Ada');
  expect(bea.asked).toEqual([]);
  await slow;
});

test('a client that cannot be asked makes the question fail, not the aggregator', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const result = parsedResult(await app.handle('tools/call', { name: 'one_ask_name', arguments: {} }, request()));
  expect(JSON.stringify(result)).toContain('-32601');
});

function request(more: Partial<RequestContext> = {}): RequestContext {
  const { signal } = new AbortController();
  return { era: 'modern', client: { id: 'test' }, capabilities: {}, meta: {}, signal, notify: async () => {}, ...more };
}

const askable = { elicitation: { form: {} } };
const call = { name: 'one_ask_name', arguments: { text: 'x' } };

test('a held call is finished only by the state that was given for it, by its own client, once', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  const ask = (more: Partial<RequestContext>, params: Json = call) =>
    app.handle('tools/call', params, request({ capabilities: askable, ...more })).then(parsedResult);
  const first = await ask({});
  expect(first.resultType).toBe('input_required');
  const state = String(first.requestState);
  const [key] = Object.keys(first.inputRequests as Json);
  const inputResponses = { [key ?? '']: { action: 'accept', content: { name: 'Mallory' } } };
  const [body = '', mac = ''] = state.split('.');
  const forged = [
    `${body}.${Buffer.from(mac).toString('base64url')}`,
    `${Buffer.from('{"id":"x","nonce":"y"}').toString('base64url')}.${mac}`,
    body,
    '',
    'garbage',
  ];
  for (const requestState of forged) {
    await expect(ask({ requestState, inputResponses })).rejects.toBeInstanceOf(ProtocolFault);
  }
  await expect(ask({ requestState: state, inputResponses, client: { id: 'other' } })).rejects.toBeInstanceOf(
    ProtocolFault,
  );
  await expect(
    ask({ requestState: state, inputResponses }, { ...call, arguments: { text: 'y' } }),
  ).rejects.toBeInstanceOf(ProtocolFault);
  expect(journalOf(journal).filter(({ id }) => String(id).startsWith('q'))).toEqual([]);

  const done = await ask({
    requestState: state,
    inputResponses: { [key ?? '']: { action: 'accept', content: { name: 'Ada' } } },
  });
  expect(JSON.stringify(done)).toContain('Ada');
  await expect(ask({ requestState: state, inputResponses })).rejects.toBeInstanceOf(ProtocolFault);
});

test('an answer that leaves the question open is asked for again', async () => {
  const app = startAggregator({ mcpServers: { one: legacyServer() } });
  const ask = (more: Partial<RequestContext>) =>
    app.handle('tools/call', call, request({ capabilities: askable, ...more })).then(parsedResult);
  const first = await ask({});
  const again = await ask({ requestState: String(first.requestState), inputResponses: { other: {} } });
  expect(again.resultType).toBe('input_required');
  expect(again.inputRequests).toEqual(first.inputRequests);
  expect(again.requestState).not.toBe(first.requestState);
});

test('a caller that hangs up while its call is held by a question of another round cancels it', async () => {
  const journal = join(tempDir(), 'journal');
  const app = startAggregator({ mcpServers: { one: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  const stop = new AbortController();
  const lost = app.handle(
    'tools/call',
    { name: 'one_slow', arguments: { ms: 60_000 } },
    request({ capabilities: askable, signal: stop.signal }),
  );
  lost.catch(() => {});
  await eventually(() => journalOf(journal).some(({ method }) => method === 'tools/call'));
  stop.abort();
  await eventually(() => journalOf(journal).some(({ kind }) => kind === 'cancelled'));
});
