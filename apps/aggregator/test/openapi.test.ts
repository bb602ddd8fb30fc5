import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import type { Aggregator } from '../src/index.ts';
import { textOf } from './clients.ts';
import { connect } from './code-mode/programs.ts';
import { after, eventually, startAggregator, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const PETS = join(import.meta.dirname, 'fixtures/pets.yaml');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An HTTP API that tells what it got. */
async function petShop(other = '') {
  const seen: Seen[] = [];
  const origin = await listen((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => void parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString('latin1') });
      const json = (status: number, value: unknown) => {
        response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
        response.end(JSON.stringify(value));
      };
      const path = url.split('?')[0];
      if (path === '/v1/pets/404') return json(404, { message: 'no pet 404; pets are 1 to 9' });
      if (path === '/v1/secret') return json(401, { message: 'who are you?' });
      if (path === '/v1/moved') return void response.writeHead(302, { location: `${origin}/v1/list` }).end();
      if (path === '/v1/elsewhere') return void response.writeHead(301, { location: `${other}/v1/list` }).end();
      if (path === '/v1/around') return void response.writeHead(302, { location: '/v1/around' }).end();
      if (path === '/v1/next') return void response.writeHead(307, { location: '/v1/pets/9' }).end();
      if (path === '/v1/list') return json(200, [1, 2, 3]);
      if (path === '/v1/long') return json(200, 'x'.repeat(5_000));
      if (path === '/v1/slow') return;
      if (path === '/v1/photos' && method === 'GET') {
        response.writeHead(200, { 'content-type': 'image/png' });
        return void response.end(Buffer.from(PIXEL, 'base64'));
      }
      if (method === 'DELETE') return void response.writeHead(204).end();
      json(200, { id: 7, name: 'Rex' });
    });
  });
  return { origin, base: `${origin}/v1`, seen, last: () => seen.at(-1) as Seen };
}

async function start(server: object, env: NodeJS.ProcessEnv = {}, more: object = {}): Promise<Aggregator> {
  const app = startAggregator({ mcpServers: { pets: server }, ...more }, { env });
  await eventually(() => ['up', 'down'].includes(app.status()[0]?.state ?? ''));
  return app;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: expanded by the aggregator
const AUTH = { key: '${PET_KEY}', user: 'ann:pass', token: 't0ken', query: 'q&k' };

async function shop(more: object = {}, settings: object = {}, other = '') {
  const api = await petShop(other);
  const app = await start({ openapi: PETS, baseUrl: api.base, auth: AUTH, ...more }, { PET_KEY: 'k3y' }, settings);
  return { ...api, app, ...(await connect(app)) };
}

test('operations become tools with arguments from path, query, headers, cookies and body', async () => {
  const { client, app } = await shop();
  expect(app.status()[0]).toMatchObject({ state: 'up', kind: 'openapi', server: 'Pet shop 1.2.0' });
  const { tools } = await client.listTools();
  const find = (name: string) => tools.find((tool) => tool.name === `pets_${name}`);
  expect(find('getPet')).toEqual({
    name: 'pets_getPet',
    title: 'Show a pet',
    description: 'Show a pet\nReturns: The pet\n(GET /pets/{petId})',
    inputSchema: {
      type: 'object',
      properties: { petId: { type: 'string', description: 'Number of the pet' } },
      required: ['petId'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  });
  expect(find('replacePet')?.inputSchema).toEqual({
    type: 'object',
    properties: { petId: { type: 'string', description: 'Number of the pet' }, body: { $ref: '#/$defs/Pet' } },
    required: ['petId', 'body'],
    additionalProperties: false,
    $defs: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          nick: { type: ['string', 'null'] },
          parent: { $ref: '#/$defs/Pet' },
        },
      },
    },
  });
  expect(Object.keys(find('findPets')?.inputSchema.properties ?? {})).toContain('filter_name');
  expect(find('findPets')?.inputSchema.properties?.limit).toEqual({ type: 'integer', exclusiveMinimum: 0 });
  expect(find('get_photos')).toBeDefined();
  expect(find('deletePet')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});

test('arguments arrive where the document says, with the credentials that the operation asks for', async () => {
  const { call, last, seen } = await shop();
  const found = await call('pets_getPet', { petId: 'a/b c' });
  expect(found.structuredContent).toEqual({ id: 7, name: 'Rex' });
  expect(last()).toMatchObject({ method: 'GET', url: '/v1/pets/a%2Fb%20c' });
  expect(last().headers).toMatchObject({ 'x-key': 'k3y' });
  expect(last().headers.authorization).toBeUndefined();

  await call('pets_findPets', {
    tags: ['red', 'big & old'],
    ids: [1, 2],
    filter_name: 'Rex',
    where: { age: 3 },
    'X-Trace': 'abc',
    shop: 'north',
  });
  expect(last().url).toBe('/v1/pets?tags=red&tags=big%20%26%20old&ids=1,2&filter%5Bname%5D=Rex&where%5Bage%5D=3');
  expect(last().headers).toMatchObject({ 'x-trace': 'abc', cookie: 'shop=north' });

  await call('pets_replacePet', { petId: '7', body: { name: 'Max', nick: null } });
  expect(last()).toMatchObject({ method: 'PUT', body: '{"name":"Max","nick":null}' });
  expect(last().headers['content-type']).toBe('application/json');

  await call('pets_addPet', { body: { name: 'Ä & B', tags: ['x', 'y'] } });
  expect(last()).toMatchObject({ method: 'POST', body: 'name=%C3%84+%26+B&tags=x&tags=y' });
  expect(last().headers.authorization).toBe(`Basic ${Buffer.from('ann:pass').toString('base64')}`);

  await call('pets_addPhoto', { body: PIXEL });
  expect(Buffer.from(last().body, 'latin1').toString('base64')).toBe(PIXEL);
  expect(last().headers).toMatchObject({ 'content-type': 'image/png', authorization: 'Bearer t0ken' });

  const photo = await call('pets_get_photos');
  expect(photo.content).toEqual([{ type: 'image', data: PIXEL, mimeType: 'image/png' }]);
  expect(last().url).toBe('/v1/photos?key=q%26k');

  expect(textOf(await call('pets_deletePet', { petId: '7' }))).toBe('HTTP 204 No Content');
  await call('pets_list');
  expect(last().headers['x-key']).toBeUndefined();
  expect(seen).toHaveLength(8);
});

test('failures of the API tell the model what it said, and a person what is missing', async () => {
  const { call, seen } = await shop({ auth: {}, maxMessageBytes: 2_000, timeoutMs: 300 });
  const missing = await call('pets_getPet', { petId: '404' });
  expect(missing.isError).toBe(true);
  expect(textOf(missing)).toBe('HTTP 404 Not Found\n{"message":"no pet 404; pets are 1 to 9"}');
  expect(textOf(await call('pets_secret'))).toContain(
    'A person may have to set "auth" (key) of the server "pets" in Atoll\'s configuration.',
  );
  await expect(call('pets_long')).rejects.toThrow('longer than 2000 bytes');
  await expect(call('pets_slow')).rejects.toThrow('did not answer within 300 ms');
  const before = seen.length;
  const wrong = await call('pets_getPet', { id: 7 });
  expect(wrong.isError).toBe(true);
  expect(textOf(wrong)).toBe('petId is required');
  expect(textOf(await call('pets_getPet', { petId: '7', color: 'red' }))).toBe('color is unknown; known are petId');
  expect(textOf(await call('pets_getPet', { petId: '..' }))).toBe('petId must not be empty or consist of dots');
  expect(textOf(await call('pets_findPets', { 'X-Trace': 'a\r\nx-key: b' }))).toContain('a header cannot hold');
  expect(seen).toHaveLength(before);
});

test('redirects are not followed, and credentials do not travel with them', async () => {
  const { call, seen } = await shop();
  const moved = await call('pets_moved');
  expect(moved.isError).toBe(true);
  expect(textOf(moved)).toMatch(
    /^HTTP 302 Found\nIt redirects to http:\/\/127.0.0.1:\d+; that was not followed \("followRedirects"\)\.$/,
  );
  expect(seen).toHaveLength(1);
});

test('redirects are followed where that is configured, and another origin gets no credentials', async () => {
  const other = await petShop();
  const { call, seen, last } = await shop({ followRedirects: true, allowPrivateAddress: true }, {}, other.origin);
  expect((await call('pets_moved')).structuredContent).toEqual([1, 2, 3]);
  expect(seen.map(({ url, headers }) => [url, headers['x-key']])).toEqual([
    ['/v1/moved', 'k3y'],
    ['/v1/list', 'k3y'],
  ]);
  expect((await call('pets_elsewhere')).structuredContent).toEqual([1, 2, 3]);
  expect(other.last()).toMatchObject({ url: '/v1/list' });
  expect(other.last().headers['x-key']).toBeUndefined();
  await call('pets_next', { body: { name: 'Max' } });
  expect(last()).toMatchObject({ method: 'PUT', url: '/v1/pets/9', body: '{"name":"Max"}' });
  const around = await call('pets_around');
  expect(textOf(around)).toContain('HTTP 302 Found');
  expect(seen.filter(({ url }) => url === '/v1/around')).toHaveLength(6);
});

test('a redirect does not lead into a private network', async () => {
  const other = await petShop();
  const { call } = await shop({ followRedirects: true }, {}, other.origin);
  expect(textOf(await call('pets_elsewhere'))).toContain(`It redirects to ${other.origin}; that was not followed`);
  expect(other.seen).toEqual([]);
});

test('files of a form are sent as files, other fields as text', async () => {
  const { client, call, last } = await shop();
  const { tools } = await client.listTools();
  const schema = tools.find(({ name }) => name === 'pets_addAlbum')?.inputSchema;
  expect(schema).toMatchObject({
    $defs: {
      Album: {
        properties: {
          cover: { type: 'string', contentEncoding: 'base64', description: 'Its cover (the bytes, as base64)' },
          pages: { items: { type: 'string', contentEncoding: 'base64' } },
        },
      },
    },
  });
  const page = Buffer.from('page one').toString('base64');
  await call('pets_addAlbum', {
    body: { name: 'Größe', cover: PIXEL, pages: [page, page], tags: ['a', 'b'], place: { x: 1 } },
  });
  const type = String(last().headers['content-type']);
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  const form = await new Response(Buffer.from(last().body, 'latin1'), { headers: { 'content-type': type } }).formData();
  expect([form.get('name'), form.getAll('tags'), form.get('place')]).toEqual(['Größe', ['a', 'b'], '{"x":1}']);
  const cover = form.get('cover') as File;
  expect([cover.name, cover.type]).toEqual(['cover', 'image/png']);
  expect(Buffer.from(await cover.arrayBuffer()).toString('base64')).toBe(PIXEL);
  const pages = form.getAll('pages') as File[];
  expect(await Promise.all(pages.map((each) => each.text()))).toEqual(['page one', 'page one']);
  expect(pages[0]?.type).toBe('application/octet-stream');
});

test('a document does not lead into a private network unless that is allowed', async () => {
  const { origin, seen } = await petShop();
  const file = join(tempDir(), 'api.yaml');
  writeFileSync(file, readFileSync(PETS, 'utf8').replace('http://127.0.0.1:1/v1', `${origin}/v1`));
  const refused = await start({ openapi: file });
  expect(refused.status()[0]).toMatchObject({ state: 'down' });
  expect(refused.status()[0]?.reason).toContain(
    `says that the API is at ${origin}, in a private network; set "baseUrl" to it, or "allowPrivateAddress": true`,
  );
  const allowed = await connect(await start({ openapi: file, allowPrivateAddress: true }));
  expect((await allowed.call('pets_getPet', { petId: '1' })).structuredContent).toEqual({ id: 7, name: 'Rex' });
  expect(seen).toHaveLength(1);
});

test('a document at an address is fetched, and its relative server belongs to that address', async () => {
  const api = await petShop();
  const document = readFileSync(PETS, 'utf8').replace('http://127.0.0.1:1/v1', '/v1');
  const origin = await listen((request, response) => {
    if (request.url === '/api.yaml') return void response.end(document);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ at: request.url }));
  });
  const { call } = await connect(await start({ openapi: `${origin}/api.yaml` }));
  expect((await call('pets_getPet', { petId: '1' })).structuredContent).toEqual({ at: '/v1/pets/1' });
  expect(api.seen).toHaveLength(0);
});

test('allow, deny and prefix apply, and programs call operations', async () => {
  const more = { allow: ['getPet*', 'list', 'deletePet'], deny: ['deletePet'], prefix: '' };
  const { client, run } = await shop(more, { mode: 'full', runTools: true });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['getPet', 'list']));
  expect(tools.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['deletePet']));
  const ran = await run('return [(await tools.getPet({petId: "1"})).name, (await tools.list()).length]');
  expect(ran).toMatchObject({ result: ['Rex', 3] });
});

test('an older client gets a list as an object, because it knows no other structured content', async () => {
  const { app } = await shop();
  const { call } = await connect(app, { era: 'legacy' });
  const listed = await call('pets_list');
  expect(textOf(listed)).toBe('[1,2,3]');
  expect(listed.isError).not.toBe(true);
});

test.each([
  ['no file', undefined, 'cannot be read (ENOENT)'],
  ['no OpenAPI', '{"name": "x"}', 'is not an OpenAPI 3 document'],
  ['neither JSON nor YAML', '{"openapi": ', 'is neither JSON nor YAML'],
  ['Swagger', 'swagger: "2.0"\npaths: {}', 'is Swagger 2.0; convert it to OpenAPI 3 first'],
  ['other files', 'openapi: 3.1.0\npaths: {/a: {$ref: "b.yaml"}}', 'refers to another file, "b.yaml"'],
  ['no server', 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\npaths: {}', 'does not say where the API is'],
  ['a scheme that is not there', 'auth', '"auth" names "nothing"; the security schemes of the document are: key'],
])('a document with %s keeps only its server down, with the reason', async (_what, text, reason) => {
  const file = join(tempDir(), 'api.yaml');
  const isAuth = text === 'auth';
  if (text !== undefined) writeFileSync(file, isAuth ? readFileSync(PETS) : text);
  const more = isAuth ? { auth: { nothing: 'x' }, baseUrl: 'http://127.0.0.1:1' } : {};
  const app = await start({ openapi: file, ...more });
  expect(app.status()[0]).toMatchObject({ state: 'down' });
  expect(app.status()[0]?.reason).toContain(reason);
});

test('atoll add writes an entry for an API, and atoll list shows it', async () => {
  const home = tempDir();
  const atoll = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, '../dist/cli.js'), ...args], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
    });
  writeFileSync(join(home, 'atoll.json'), '{}');
  await atoll('add', 'pets', '--openapi', './api.yaml', '--base-url', 'https://example.org', '--allow', 'get*');
  expect(JSON.parse(readFileSync(join(home, 'atoll.json'), 'utf8'))).toEqual({
    mcpServers: { pets: { openapi: './api.yaml', baseUrl: 'https://example.org', allow: ['get*'] } },
  });
  expect((await atoll('list', '--no-builtin')).stdout).toMatch(/^pets +openapi +\.\/api\.yaml$/m);
  await expect(atoll('add', 'both', 'https://example.org', '--openapi', 'x')).rejects.toMatchObject({ code: 2 });
});
