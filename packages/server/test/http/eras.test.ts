import { expect, test } from 'vitest';
import { MODERN, modernHeaders, PATIENT, request, startServer } from './server.ts';

const call = (name: string, args: object = {}) => request(5, 'tools/call', { name, arguments: args });

test('a client that accepts both gets a stream, one that accepts JSON gets JSON', async () => {
  const server = await startServer();
  const session = await server.session();
  const stream = await server.post(call('echo', { text: 'hi' }), session);
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.text).toMatch(/^event: message\ndata: {.*}\n\n$/);
  const json = await server.post(call('echo', { text: 'hi' }), { ...session, accept: 'application/json' });
  expect(json.headers.get('content-type')).toBe('application/json');
  expect(json.messages).toEqual(stream.messages);
  const refused = await server.post(call('echo'), { ...session, accept: 'text/html' });
  expect(refused.status).toBe(406);
});

test('a missing session id gets 400, an unknown one 404, a deleted one 404', async () => {
  const server = await startServer();
  expect((await server.post(call('echo'))).status).toBe(400);
  expect((await server.post(call('echo'), { 'mcp-session-id': 'nobody' })).status).toBe(404);
  const session = await server.session();
  expect((await server.post(call('echo'), session)).status).toBe(200);
  expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(200);
  const gone = await server.post(call('echo'), session);
  expect(gone).toMatchObject({ status: 404, messages: [{ error: { code: -32001 } }] });
});

test('each older revision is agreed on as asked, an unknown one as the newest of them', async () => {
  const server = await startServer();
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const { messages } = await server.post(request(1, 'initialize', { protocolVersion: version, capabilities: {} }));
    expect(messages[0]?.result?.protocolVersion).toBe(version);
  }
  const { messages } = await server.post(request(1, 'initialize', { protocolVersion: '2030-01-01', capabilities: {} }));
  expect(messages[0]?.result?.protocolVersion).toBe('2025-11-25');
});

test('a revision in the header that no session speaks gets 400', async () => {
  const server = await startServer();
  const session = await server.session();
  const refused = await server.post(call('echo'), { ...session, 'mcp-protocol-version': '1999-01-01' });
  expect(refused.status).toBe(400);
});

test('progress comes before the answer, on the stream of its own request', async () => {
  const server = await startServer();
  const session = await server.session();
  const legacy = (token: string) =>
    server.post(request(5, 'tools/call', { name: 'count', _meta: { progressToken: token } }), session);
  const modern = (token: string) =>
    server.post(
      request(5, 'tools/call', { name: 'count', _meta: { ...MODERN, progressToken: token } }),
      modernHeaders('tools/call', { name: 'count' }),
    );
  const answers = await Promise.all(['a', 'b'].flatMap((token) => [legacy(token), modern(token)]));
  for (const [index, { messages }] of answers.entries()) {
    const token = index < 2 ? 'a' : 'b';
    expect(messages).toHaveLength(4);
    expect(messages.slice(0, 3)).toMatchObject(
      [1, 2, 3].map((progress) => ({ params: { progress, progressToken: token } })),
    );
    expect(messages[3]).toMatchObject({ id: 5, result: {} });
  }
});

test('batches are answered where the revision has them and refused elsewhere', async () => {
  const server = await startServer();
  const batch = [request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/x' }, call('echo', { text: 'hi' })];
  const old = await server.session('2025-03-26');
  const json = await server.post(batch, { ...old, accept: 'application/json' });
  expect(json.messages[0]).toMatchObject([{ id: 1 }, { id: 5 }]);
  expect((await server.post(batch, old)).messages).toMatchObject([{ id: 1 }, { id: 5 }]);
  const current = await server.session('2025-11-25');
  expect(await server.post(batch, current)).toMatchObject({ status: 400, messages: [{ error: { code: -32600 } }] });
  const headers = { ...current, 'mcp-protocol-version': '2026-07-28' };
  expect((await server.post(batch, headers)).status).toBe(400);
});

test('headers of a modern request must say what its body says', async () => {
  const server = await startServer();
  const good = await server.modern('tools/call', { name: 'echo', arguments: { text: 'hi' } });
  expect(good).toMatchObject({ status: 200, messages: [{ result: { resultType: 'complete' } }] });
  const wrong: Record<string, string>[] = [
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'crash' },
    { 'mcp-name': '=?base64?!!?=' },
    { 'mcp-protocol-version': '2025-11-25' },
  ];
  for (const headers of wrong) {
    const refused = await server.modern('tools/call', { name: 'echo' }, headers);
    expect(refused).toMatchObject({ status: 400, messages: [{ id: 1, error: { code: -32020 } }] });
  }
  const body = request(1, 'tools/call', { name: 'echo', arguments: { text: 'hi' }, _meta: MODERN });
  const bare = await server.post(body);
  expect(bare).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
  const encoded = `=?base64?${Buffer.from('echo').toString('base64')}?=`;
  expect((await server.post(body, { ...modernHeaders('tools/call'), 'mcp-name': encoded })).status).toBe(200);
});

test('an argument that a tool wants in a header must be the same there', async () => {
  const server = await startServer();
  const called = (headers: Record<string, string>) =>
    server.modern('tools/call', { name: 'region', arguments: { region: 'eu' } }, headers);
  expect(await called({ 'mcp-param-region': 'eu' })).toMatchObject({
    status: 200,
    messages: [{ result: { content: [{ text: 'eu' }] } }],
  });
  for (const headers of [{ 'mcp-param-region': 'us' }, {}]) {
    expect(await called(headers)).toMatchObject({ status: 400, messages: [{ id: 1, error: { code: -32020 } }] });
  }
});

test('modern headers on an older body name what is missing', async () => {
  const server = await startServer();
  const refused = await server.post(request(1, 'tools/list'), modernHeaders('tools/list'));
  expect(refused).toMatchObject({ status: 400, messages: [{ error: { code: -32602 } }] });
  const initialize = await server.post(request(1, 'initialize'), modernHeaders('initialize'));
  expect(initialize).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
});

test('a method that the modern revision took away, or nobody has, gets 404', async () => {
  const server = await startServer();
  for (const method of ['ping', 'initialize', 'no/such']) {
    expect(await server.modern(method)).toMatchObject({ status: 404, messages: [{ error: { code: -32601 } }] });
  }
});

test('lists carry cache hints, results their type and the server its name', async () => {
  const server = await startServer();
  const { messages } = await server.modern('tools/list');
  expect(messages[0]?.result).toMatchObject({
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tiny', version: '1.0.0' } },
  });
});

test('a view below /mcp reaches the app, and a session belongs to the view that opened it', async () => {
  const server = await startServer();
  const session = await server.session();
  const elsewhere = await fetch(`${server.url}/other`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session },
    body: JSON.stringify(call('echo')),
  });
  expect(elsewhere.status).toBe(404);
});

test('what was pushed while nobody listened arrives when someone does, and again after a break', async () => {
  const server = await startServer();
  const session = await server.session();
  await server.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  server.app.change({ kind: 'tools' });
  const listen = async (headers: Record<string, string>) => {
    const abort = new AbortController();
    const response = await fetch(server.url, {
      headers: { accept: 'text/event-stream', ...session, ...headers },
      signal: abort.signal,
    });
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!text.includes('\n\n')) text += (await reader.read()).value ?? '';
    abort.abort();
    return text;
  };
  expect(await listen({})).toBe(
    'event: message\nid: 1\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}\n\n',
  );
  server.app.change({ kind: 'tools' });
  expect(await listen({ 'last-event-id': '0' })).toContain('id: 1\n');
  expect(await listen({ 'last-event-id': '1' })).toContain('id: 2\n');
});

test('the idlest session goes when there are too many', async () => {
  const server = await startServer({ maxSessions: 3 });
  const [first, second, third] = [await server.session(), await server.session(), await server.session()];
  expect((await server.post(request(1, 'ping'), first)).status).toBe(200);
  const fourth = await server.session();
  const statuses = await Promise.all(
    [first, second, third, fourth].map(async (session) => (await server.post(request(1, 'ping'), session)).status),
  );
  expect(statuses).toEqual([200, 404, 200, 200]);
});

test('sessions that were never used give way before those at work', async () => {
  const server = await startServer({ maxSessions: 20 });
  const working = await server.session();
  expect((await server.post(request(1, 'ping'), working)).status).toBe(200);
  for (let count = 0; count < 60; count++) await server.session();
  expect((await server.post(request(1, 'ping'), working)).status).toBe(200);
});

test('a caller who opens many sessions takes none from another caller', async () => {
  const authenticate = ({ headers }: { headers: { authorization?: string | undefined } }) => ({
    id: headers.authorization ?? '',
  });
  const server = await startServer({ maxSessions: 10, authenticate });
  const mine = await Promise.all([1, 2, 3].map(() => server.session(undefined, { authorization: 'ada' })));
  for (let count = 0; count < 40; count++) {
    const session = await server.session(undefined, { authorization: 'eve' });
    expect((await server.post(request(1, 'ping'), session)).status).toBe(200);
  }
  for (const session of mine) expect((await server.post(request(1, 'ping'), session)).status).toBe(200);
});

test('a caller who opens many subscriptions takes none from another caller', async () => {
  const authenticate = ({ headers }: { headers: { authorization?: string | undefined } }) => ({
    id: headers.authorization ?? '',
  });
  const server = await startServer({ maxSubscriptions: 4, authenticate });
  const open = async (authorization: string) => {
    const params = { notifications: { toolsListChanged: true } };
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization,
        ...modernHeaders('subscriptions/listen'),
      },
      body: JSON.stringify(request(1, 'subscriptions/listen', { ...params, _meta: MODERN })),
    });
    return { status: response.status, reader: response.body!.pipeThrough(new TextDecoderStream()).getReader() };
  };
  const until = async ({ reader }: Awaited<ReturnType<typeof open>>, said: string) => {
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.includes(said)) return text;
    }
    return text;
  };
  const eve = [];
  for (let n = 0; n < 4; n++) {
    eve.push(await open('eve'));
    await until(eve[n]!, 'acknowledged');
  }
  expect((await open('eve')).status).toBe(503);
  const ada = await open('ada');
  expect(ada.status).toBe(200);
  await until(ada, 'acknowledged');
  // The oldest of whoever has most was ended, as the server ends one.
  expect(await until(eve[0]!, 'never said')).toContain('"result"');
  expect((await open('eve')).status).toBe(503);
  const again = await open('ada');
  await until(again, 'acknowledged');
  expect((await open('ada')).status).toBe(503);
  server.app.change({ kind: 'tools' });
  for (const listening of [ada, again, eve[2]!, eve[3]!])
    expect(await until(listening, 'list_changed')).toContain('list_changed');
});

test('a session that nobody uses ends, one that is listened to or works stays', async () => {
  const server = await startServer({ sessionIdleMs: 1000 });
  const listening = await server.session();
  const abort = new AbortController();
  await fetch(server.url, { headers: { accept: 'text/event-stream', ...listening }, signal: abort.signal });
  const working = await server.session();
  const work = server.post(call('wait'), working);
  await server.app.waiting(1);
  const idle = await server.session();
  await expect.poll(async () => (await sessions(server.url)).toString(), PATIENT).toBe('2');
  expect((await server.post(request(1, 'ping'), idle)).status).toBe(404);
  expect((await server.post(request(1, 'ping'), listening)).status).toBe(200);
  server.app.release();
  expect((await work).messages[0]?.result).toBeDefined();
  abort.abort();
});

async function sessions(url: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  return Number(/^mcp_sessions\{[^}]*\} (\d+)$/m.exec(text)?.[1]);
}

test('a caller that takes only the answer loses the notifications and nothing else', async () => {
  const server = await startServer();
  const session = await server.session();
  const counted = request(5, 'tools/call', { name: 'count', _meta: { progressToken: 1 } });
  const legacy = await server.post(counted, { ...session, accept: 'application/json' });
  expect(legacy.messages).toMatchObject([{ id: 5, result: { content: [{ text: 'counted' }] } }]);
  const params = { name: 'count', _meta: { ...MODERN, progressToken: 1 } };
  const headers = { ...modernHeaders('tools/call', { name: 'count' }), accept: 'application/json' };
  const modern = await server.post(request(5, 'tools/call', params), headers);
  expect(modern.messages).toMatchObject([{ id: 5, result: { content: [{ text: 'counted' }] } }]);
  const asked = await server.post(request(6, 'tools/call', { name: 'ask' }), {
    ...session,
    accept: 'application/json',
  });
  expect(asked.messages).toMatchObject([{ id: 6, error: { code: expect.any(Number) } }]);
});
