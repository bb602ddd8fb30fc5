import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MODERN, modernHeaders, PATIENT, request, startServer, type TestServer } from './server.ts';

/** Sends bytes and gives what came back when the other side hangs up. */
function exchangeBytes({ port }: TestServer, send: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    send(socket);
  });
}

const POST = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

async function stillLives(server: TestServer): Promise<void> {
  const call = async () => (await server.modern('tools/call', { name: 'echo', arguments: { text: 'hi' } })).status;
  await expect.poll(call, PATIENT).toBe(200);
}

test('a body that is too large gets 413, whether it says so or not, and the server lives', async () => {
  const server = await startServer({ maxBodyBytes: 10_000 });
  const large = 'x'.repeat(20_000);
  expect((await server.post(large)).status).toBe(413);
  const announced = await exchangeBytes(server, (socket) => socket.write(`${POST}Content-Length: 999999999\r\n\r\n`));
  expect(announced).toMatch(/^HTTP\/1.1 413 /);
  const chunk = `4e20\r\n${large}\r\n`;
  const chunked = await exchangeBytes(server, (socket) =>
    socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n${chunk}`),
  );
  expect(chunked).toMatch(/^HTTP\/1.1 413 /);
  await stillLives(server);
});

test('a body just below the limit is read', async () => {
  const server = await startServer();
  const text = 'ü'.repeat(5_000_000);
  const { messages } = await server.modern('tools/call', { name: 'echo', arguments: { text } });
  expect(messages[0]?.result).toMatchObject({ content: [{ text }] });
});

test('senders that never finish make room for others, those that began first', async () => {
  const server = await startServer({ maxBodyBytes: 1_000_000, maxBodiesBytes: 3_000_000 });
  const session = await server.session();
  const head = `${POST}Mcp-Session-Id: ${session['mcp-session-id']}\r\nContent-Length: 1000000\r\n\r\n`;
  const sockets: Socket[] = [];
  const answers: Promise<string>[] = [];
  const begin = async () => {
    const { length } = sockets;
    const answer = exchangeBytes(server, (socket) => {
      sockets.push(socket);
      socket.write(head + 'x'.repeat(900_000));
    });
    answers.push(answer);
    await expect.poll(() => sockets[length]?.bytesWritten, PATIENT).toBe(head.length + 900_000);
    await stillLives(server);
  };
  for (let i = 0; i < 5; i++) await begin();
  for (const answer of await Promise.all(answers.slice(0, 2)))
    expect(answer).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after/i);
  await stillLives(server);
  sockets.at(-1)?.end('x'.repeat(100_000));
  expect(await answers.at(-1)).toMatch(/^HTTP\/1.1 400 [\s\S]*-32700/);
});

test('headers that are too large get 431, and the server lives', async () => {
  const server = await startServer();
  const answer = await exchangeBytes(server, (socket) => socket.write(`${POST}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`));
  expect(answer).toMatch(/^HTTP\/1.1 431 /);
  await stillLives(server);
});

test('a sender that stops in its headers or its body gets 408, and the server lives', async () => {
  const server = await startServer({ requestTimeoutMs: 1000 });
  const answers = await Promise.all([
    exchangeBytes(server, (socket) => socket.write(POST)),
    exchangeBytes(server, (socket) => socket.write(`${POST}Content-Length: 100\r\n\r\n{"jsonrpc"`)),
  ]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 /);
  await stillLives(server);
});

test('a slow tool is not taken for a slow sender', async () => {
  const server = await startServer({ requestTimeoutMs: 1000 });
  const call = server.modern('tools/call', { name: 'wait' });
  await server.app.waiting(1);
  // By the time that a slow sender has been caught, the tool would have been too.
  expect(await exchangeBytes(server, (socket) => socket.write(POST))).toMatch(/^HTTP\/1.1 408 /);
  server.app.release();
  expect(await call).toMatchObject({ status: 200, messages: [{ result: { content: [{ text: 'released' }] } }] });
});

test('a silent stream shows that it is alive', async () => {
  const server = await startServer({ keepAliveMs: 20 });
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...modernHeaders('tools/call', { name: 'wait' }),
    },
    body: JSON.stringify(request(1, 'tools/call', { name: 'wait', _meta: MODERN })),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toMatch(/^: keep-alive\n\n/);
  server.app.release();
  let text = '';
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;
  expect(text).toContain('released');
});

test.each([
  ['broken JSON', '{"jsonrpc":', 400, -32700],
  ['nothing', '', 400, -32700],
  ['a number', '5', 400, -32600],
  ['no message', '{"hello":"world"}', 400, -32600],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
])('%s is refused with the code of the protocol', async (_what, body, status, code) => {
  const server = await startServer();
  expect(await server.post(body)).toMatchObject({ status, messages: [{ jsonrpc: '2.0', id: null, error: { code } }] });
});

test('other methods and media types are refused', async () => {
  const server = await startServer();
  expect((await fetch(server.url, { method: 'PUT', body: '{}' })).status).toBe(405);
  expect((await fetch(server.url, { method: 'POST', body: '{}' })).status).toBe(415);
  expect((await fetch(new URL('/nowhere', server.url))).status).toBe(404);
  expect((await fetch(new URL('/health', server.url), { method: 'POST' })).status).toBe(405);
});

test.each(['legacy', 'modern'] as const)('a %s caller that hangs up aborts its tool', async (era) => {
  const server = await startServer();
  const headers = era === 'legacy' ? await server.session() : modernHeaders('tools/call', { name: 'wait' });
  const body = request(1, 'tools/call', { name: 'wait', ...(era === 'modern' && { _meta: MODERN }) });
  const abort = new AbortController();
  const call = fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  await server.app.waiting(1);
  abort.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => server.app.aborted.length, PATIENT).toBe(1);
  await stillLives(server);
});

test('a legacy client that cancels ends its stream without an answer', async () => {
  const server = await startServer();
  const session = await server.session();
  const call = server.post(request(7, 'tools/call', { name: 'wait' }), session);
  await server.app.waiting(1);
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  expect((await server.post(cancelled, session)).status).toBe(202);
  expect((await call).messages).toEqual([]);
  expect(server.app.aborted).toHaveLength(1);
});

test('closing lets work under way end, takes no new work, and then ends what is left', async () => {
  const server = await startServer({ graceMs: 10_000 });
  const session = await server.session();
  const call = server.post(request(1, 'tools/call', { name: 'wait' }), session);
  await server.app.waiting(1);
  const stream = await fetch(server.url, { headers: { accept: 'text/event-stream', ...session } });
  const closed = server.close();
  await stream.text();
  await expect(fetch(new URL('/health', server.url), { headers: { connection: 'close' } })).rejects.toThrow();
  server.app.release();
  expect((await call).messages).toMatchObject([{ result: { content: [{ text: 'released' }] } }]);
  await closed;

  const impatient = await startServer({ graceMs: 50 });
  const lost = impatient.modern('tools/call', { name: 'wait' });
  lost.catch(() => {});
  await impatient.app.waiting(1);
  await impatient.close();
  expect(impatient.app.aborted).toHaveLength(1);
});

test('a subscriber that stops reading is cut off, and what it did not read is not kept', async () => {
  const server = await startServer();
  const uri = `long:${'x'.repeat(1_000_000)}`;
  const body = JSON.stringify(
    request(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri] }, _meta: MODERN }),
  );
  const headers = Object.entries({ ...modernHeaders('subscriptions/listen'), accept: 'text/event-stream' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  let received = 0;
  const closed = new Promise<void>((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      received += chunk.length;
      // Acknowledged: the subscription is open.
      if (received < uri.length) return;
      if (!socket.isPaused() && changes === 0) {
        socket.pause();
        for (; changes < 100; changes++) server.app.change({ kind: 'resource', uri });
        setImmediate(() => socket.resume());
      }
    });
    let changes = 0;
    socket.write(`${POST}${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
  });
  await closed;
  expect(received).toBeLessThan(40_000_000);
  await stillLives(server);
});

test('what waits for the stream of a session is bounded in size, and the newest stays', async () => {
  const server = await startServer();
  const session = await server.session();
  const [long, last] = [`long:${'x'.repeat(1_000_000)}`, 'short:last'];
  for (const uri of [long, last]) await server.post(request(1, 'resources/subscribe', { uri }), session);
  for (let i = 0; i < 50; i++) server.app.change({ kind: 'resource', uri: long });
  server.app.change({ kind: 'resource', uri: last });
  const text = await readUntil(server, session, last);
  expect(text.match(/long:/g)?.length).toBeLessThan(6);
});

test('a session that opens streams without end has the newest of them', async () => {
  const server = await startServer();
  const session = await server.session();
  const open = () => fetch(server.url, { headers: { accept: 'text/event-stream', ...session } });
  const first = await open();
  for (let i = 0; i < 8; i++) await open();
  expect(await first.text()).toBe('');
  await server.post(request(1, 'resources/subscribe', { uri: 'a:b' }), session);
  const change = () => server.app.change({ kind: 'resource', uri: 'a:b' });
  expect(await readUntil(server, session, 'a:b', change)).toContain('a:b');
});

/** Opens a stream of a session and reads until it has said something. */
async function readUntil(
  server: TestServer,
  session: Record<string, string>,
  said: string,
  onOpen = () => {},
): Promise<string> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { accept: 'text/event-stream', ...session };
  const stream = await fetch(server.url, { headers, signal: abort.signal });
  onOpen();
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(said)) text += (await reader.read()).value ?? '';
  return text;
}
