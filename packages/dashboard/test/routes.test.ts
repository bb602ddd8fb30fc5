import { createHook } from 'node:async_hooks';
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardRoutes } from '../dist/index.js';

const servers: Server[] = [];
let address: string;

beforeAll(async () => {
  address = await serve();
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** The page as it is built, and its address. */
async function serve(): Promise<string> {
  const [route] = dashboardRoutes();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    void route?.handle(request, response, { url } as Parameters<typeof route.handle>[2]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(path: string, headers: Record<string, string> = {}, from = address) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    get(`${from}${path}`, { headers, agent: false }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, body });
    }).on('error', reject);
  });
}

const BROTLI = { 'accept-encoding': 'gzip, br' };
const assets = (html: Buffer) =>
  [...`${html}`.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');

test('a file is the same compressed and not, however many ask for it at once', async () => {
  const index = await ask('/');
  const paths = ['/', ...assets(index.body)];
  expect(paths.length).toBeGreaterThan(2);
  for (const path of paths) {
    const plain = await ask(path);
    const compressed = await Promise.all(Array.from({ length: 3 }, () => ask(path, BROTLI)));
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const { headers, body } of compressed) {
      expect(headers).toMatchObject({ 'content-encoding': 'br', etag: plain.headers.etag, vary: 'accept-encoding' });
      expect(brotliDecompressSync(body).equals(plain.body)).toBe(true);
    }
  }
});

test('what a browser has already is not sent again', async () => {
  const { headers } = await ask('/', BROTLI);
  const again = await ask('/', { ...BROTLI, 'if-none-match': String(headers.etag) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test('the first visitor waits for the compression of what was asked for, not of every file', async () => {
  const made: string[] = [];
  const hook = createHook({ init: (_, type) => void made.push(type) }).enable();
  const fresh = await serve();
  await ask('/', BROTLI, fresh);
  hook.disable();
  expect(made.filter((type) => type === 'ZLIB')).toHaveLength(1);
});

test('a file that is not there is not found', async () => {
  expect((await ask('/assets/none.js')).status).toBe(404);
});
