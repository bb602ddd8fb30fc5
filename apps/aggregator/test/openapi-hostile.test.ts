import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { connect } from './code-mode/programs.ts';
import { after, eventually, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const HEAD = { openapi: '3.1.0', info: { title: 'x', version: '1' } };
const OK = { responses: { 200: { description: 'ok' } } };

/** Starts with a document and waits until it was read. */
async function read(document: object | string, more: object = {}): Promise<Aggregator> {
  const file = join(tempDir(), 'api.yaml');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  const app = startAggregator({
    mcpServers: { api: { openapi: file, baseUrl: 'http://127.0.0.1:1/v1', prefix: '', ...more } },
  });
  await eventually(() => ['up', 'down'].includes(app.status()[0]?.state ?? ''), 100_000);
  return app;
}

/** Those of the API. */
const toolsOf = async (client: Client) =>
  (await client.listTools()).tools.filter(({ name }) => name !== 'atoll_status');

/** An API whose operations are all `GET`. */
const gets = (count: number, operation: (index: number) => object) => ({
  ...HEAD,
  paths: Object.fromEntries(Array.from({ length: count }, (_, i) => [`/p${i}`, { get: { ...OK, ...operation(i) } }])),
});

const query = (schema: object, name = 'q') => ({ parameters: [{ name, in: 'query', schema }] });

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Calls of one operation at an API that answers by `handle`. */
async function apiWith(paths: object, more: object = {}, handle?: RequestListener, components: object = {}) {
  const seen: IncomingMessage[] = [];
  const origin = await listen((request, response) => {
    seen.push(request);
    if (handle) return handle(request, response);
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });
  const app = await read({ ...HEAD, paths, components }, { baseUrl: `${origin}/v1`, ...more });
  return { app, seen, origin, ...(await connect(app)) };
}

const manyTerms = Object.fromEntries(
  Array.from({ length: 300 }, (_, i) => [
    `A${i}`,
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 30 }, (_, j) => [`p${j}`, { $ref: `#/components/schemas/A${(i * 7 + j) % 300}` }]),
      ),
    },
  ]),
);

test.each([
  ['60,000 operations of one name', () => gets(60_000, () => ({ operationId: 'same' })), 20_000, 'same_20000'],
  ['a name of underscores', () => gets(1, () => ({ operationId: `a${'_'.repeat(400_000)}a` })), 1, 'a'],
  [
    'schemas that all refer to each other, in a thousand operations',
    () => ({
      ...gets(1_000, (i) => ({ operationId: `op${i}`, ...query({ $ref: '#/components/schemas/A0' }) })),
      components: { schemas: manyTerms },
    }),
    1_000,
    'op999',
  ],
  [
    'references of one name',
    () => gets(1, () => query({ anyOf: Array.from({ length: 50_000 }, (_, i) => ({ $ref: `#/x/${i}/s` })) })),
    1,
    'get_p0',
  ],
  [
    'parameters whose names have no letters that a model may write',
    () => ({
      ...gets(1, () => ({
        parameters: Array.from({ length: 50_000 }, (_, i) => ({
          name: `${'名'.repeat(1 + (i % 99))}${i}é`,
          in: 'query',
        })),
      })),
    }),
    1,
    'get_p0',
  ],
])('%s do not stop the server', async (_what, document, tools, name) => {
  const app = await read(document());
  expect(app.status()[0]).toMatchObject({ state: 'up', tools });
  const { client } = await connect(app);
  const listed = await client.listTools();
  expect(listed.tools.some((tool) => tool.name === name)).toBe(true);
  expect(JSON.stringify(listed).length).toBeLessThan(50_000_000);
});

test('an argument whose schema is too large is listed by name, and the API decides', async () => {
  const { client, call, seen } = await apiWith({
    '/big': {
      get: {
        operationId: 'big',
        ...OK,
        ...query({ type: 'string', enum: Array.from({ length: 300_000 }, (_, i) => `v${i}`) }),
      },
    },
  });
  const [tool] = await toolsOf(client);
  expect(tool?.inputSchema).toEqual({ type: 'object', properties: { q: {} }, additionalProperties: false });
  expect(tool?.description).toContain('The schemas of its arguments are too large to be listed.');
  await call('big', { q: 'v7' });
  expect(seen[0]?.url).toBe('/v1/big?q=v7');
});

test('a long chain of references is followed', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 4_000 }, (_, i) => [`A${i}`, { items: { $ref: `#/components/schemas/A${i + 1}` } }]),
  );
  const app = await read({ ...gets(1, () => query({ $ref: '#/components/schemas/A0' })), components: { schemas } });
  const { client } = await connect(app);
  const [tool] = await toolsOf(client);
  expect(Object.keys(tool?.inputSchema.$defs ?? {})).toHaveLength(4_001);
});

test('a document of YAML that takes too long costs its own thread, and the server answers meanwhile', async () => {
  const lines = Array.from({ length: 200_000 }, (_, i) => `  /p${i}: {get: {operationId: op${i}, tags: [a, b, c]}}`);
  const file = join(tempDir(), 'api.yaml');
  writeFileSync(file, `openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths:\n${lines.join('\n')}\n`);
  const slow = { openapi: file, baseUrl: 'http://127.0.0.1:1', startTimeoutMs: 1_500 };
  const app = startAggregator({ mcpServers: { slow } });
  await eventually(() => app.status()[0]?.state === 'starting');
  const { client } = await connect(app);
  await client.listTools();
  expect(app.status()[0]).toMatchObject({ state: 'starting' });
  await eventually(() => app.status()[0]?.state === 'down', 60_000);
  expect(app.status()[0]?.reason).toContain('could not be read within 1500 ms');
});

test.each([
  ['a device', '/dev/zero', 'is not a file'],
  ['references to files', `${'openapi: 3.1.0\npaths: {/a: {$ref: "'}file:///etc/passwd"}}`, 'refers to another file'],
  ['references to addresses', 'openapi: 3.1.0\npaths: {/a: {$ref: "http://169.254.169.254/"}}', 'refers to another'],
  ['deep JSON', `{"openapi":"3.1.0","paths":${'['.repeat(600)}${']'.repeat(600)}}`, 'nested more than 512 levels'],
  ['a version that is an object', '{"openapi":{"toString":1},"paths":{}}', 'is not an OpenAPI 3 document'],
])('%s: the server is down, with the reason', async (_what, document, reason) => {
  const app = await (document.startsWith('/dev/') ? read('', { openapi: document }) : read(document));
  expect(app.status()[0]).toMatchObject({ state: 'down' });
  expect(app.status()[0]?.reason).toContain(reason);
});

test('names of prototypes are names like others', async () => {
  const parameters = [
    { name: '__proto__', in: 'query', schema: { type: 'string' } },
    { name: 'constructor', in: 'query', schema: { $ref: '#/components/schemas/__proto__' } },
    { name: 'toString', in: 'header', schema: {} },
    { name: '__proto__', in: 'header', schema: {} },
  ];
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":[{"toString":1}]}',
  );
  const schemas = JSON.parse('{"__proto__":{"type":"string"}}');
  const requestBody = { content: { 'application/json': { schema } } };
  const paths = { '/a': { post: { operationId: '__proto__', parameters, requestBody, ...OK } } };
  const { client, call, seen } = await apiWith(paths, {}, undefined, { schemas });
  const [tool] = await toolsOf(client);
  expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([
    'proto',
    'constructor',
    'toString',
    'header_proto',
    'body',
  ]);
  await call(String(tool?.name), {});
  expect(seen[0]?.url).toBe('/v1/a');
  expect(seen[0]?.headers.tostring).toBeUndefined();
  await call(String(tool?.name), { proto: 'p', constructor: 'c', toString: 't', header_proto: 'h' });
  expect(seen[1]?.url).toBe('/v1/a?__proto__=p&constructor=c');
  expect(seen[1]?.rawHeaders).toEqual(expect.arrayContaining(['tostring', 't', '__proto__', 'h']));
});

test('neither the document nor arguments leave the address of the API', async () => {
  const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const operation = (operationId: string, ...names: string[]) => ({
    get: { operationId, parameters: names.map(id), ...OK },
  });
  const { client, call, seen } = await apiWith({
    '/../admin': operation('up'),
    '/a/%2e%2E/../admin': operation('coded'),
    '/a\\..\\..\\admin': operation('backslash'),
    '/a%2f..%2f..%2fadmin': operation('slash'),
    '/.\t./admin': operation('tab'),
    '/files/{id}': operation('file', 'id'),
    '/two/{a}{b}': operation('two', 'a', 'b'),
    '/label/{id}': {
      get: { operationId: 'label', parameters: [{ ...id('id'), style: 'label' }], ...OK },
    },
  });
  const tools = await toolsOf(client);
  expect(tools.map(({ name }) => name).sort()).toEqual(['file', 'label', 'two']);
  for (const value of ['..', '../admin', 'a/../../admin', '..\\admin', '..%2fadmin', '%2e%2e/admin', './x', '']) {
    expect(textOf(await call('file', { id: value }))).toMatch(/dots|"\.\."/);
  }
  expect(textOf(await call('two', { a: 'x/.', b: './admin' }))).toContain('".."');
  expect(textOf(await call('label', { id: '.' }))).toContain('dots');
  expect(seen).toHaveLength(0);
  await call('file', { id: 'refs/heads/v1..2' });
  await call('file', { id: '$&$`' });
  expect(seen.map(({ url }) => url)).toEqual(['/v1/files/refs%2Fheads%2Fv1..2', '/v1/files/%24%26%24%60']);
});

test('a document cannot make headers that decide about the connection or begin another request', async () => {
  const names = ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'X\r\nEvil', 'X Y', 'X-Fine'];
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });
  const { client, call, seen } = await apiWith({
    '/a': { get: { operationId: 'get', parameters: names.map(header), ...OK } },
    '/b': {
      post: { operationId: 'post', requestBody: { content: { 'text/x;\r\nEvil: 1': { schema: {} } } }, ...OK },
    },
  });
  const [tool] = await toolsOf(client);
  expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(['X-Fine']);
  await call('get', { 'X-Fine': 'yes' });
  expect(seen[0]?.headers['x-fine']).toBe('yes');
  await expect(call('post', { body: 'x' })).rejects.toThrow('characters that HTTP does not allow');
  expect(seen).toHaveLength(1);
});

test('a scheme of the document cannot put a key into a header of the connection', async () => {
  const securitySchemes = { evil: { type: 'apiKey', in: 'header', name: 'Transfer-Encoding' } };
  const app = await read({ ...HEAD, paths: {}, components: { securitySchemes } }, { auth: { evil: 'chunked' } });
  expect(app.status()[0]).toMatchObject({ state: 'down' });
  expect(app.status()[0]?.reason).toContain('"auth" cannot be used for the security scheme "evil"');
});

test('answers without end, in size, time or form, cost their own call', async () => {
  const { call } = await apiWith(
    Object.fromEntries(
      ['flood', 'drip', 'headers', 'upgrade', 'cut'].map((at) => [`/${at}`, { get: { operationId: at, ...OK } }]),
    ),
    { timeoutMs: 1_000, maxMessageBytes: 1_000_000 },
    (request, response) => {
      const { socket } = request;
      socket.on('error', () => {});
      switch (request.url) {
        case '/v1/flood': {
          const more = () => {
            while (response.write(Buffer.alloc(100_000)));
          };
          response.on('drain', more);
          return more();
        }
        case '/v1/drip': {
          response.writeHead(200);
          const timer = setInterval(() => response.write('x'), 50);
          return void response.on('close', () => clearInterval(timer));
        }
        case '/v1/headers':
          return void socket.write(`HTTP/1.1 200 OK\r\n${'X-Y: z\r\n'.repeat(20_000)}\r\n`);
        case '/v1/upgrade':
          return void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
        default:
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc');
      }
    },
  );
  await expect(call('flood')).rejects.toThrow('longer than 1000000 bytes');
  await expect(call('drip')).rejects.toThrow('did not answer within 1000 ms');
  await expect(call('headers')).rejects.toThrow(/HPE_HEADER_OVERFLOW/);
  await expect(call('upgrade')).rejects.toThrow('it changed to another protocol');
  await expect(call('cut')).rejects.toThrow('the connection closed during the answer');
});

test('a document from an address of this machine does not lead to another port of it', async () => {
  const other = await listen((_request, response) => void response.end('other'));
  const document = { ...HEAD, servers: [{ url: other }], paths: { '/a': { get: { operationId: 'a', ...OK } } } };
  const origin = await listen((_request, response) => void response.end(JSON.stringify(document)));
  const app = startAggregator({ mcpServers: { api: { openapi: `${origin}/api.json` } } });
  await eventually(() => app.status()[0]?.state === 'down');
  expect(app.status()[0]?.reason).toContain('in a private network; set "baseUrl" to it');
});
