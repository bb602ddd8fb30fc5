import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { HttpRoute } from '@atoll-mcp/server';

const folder = fileURLToPath(new URL('./page', import.meta.url));
const compress = promisify(brotliCompress);

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
  }),
);

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Made when a browser first asks for the file: compressing all of them would keep the first visitor waiting. */
  brotli?: Promise<Buffer>;
  readonly tag: string;
  /** Its name changes with its content, so it never has to be asked for twice. */
  readonly isLasting: boolean;
}

/**
 * The page at `/` and its files. They are public because they hold nothing: all that the page shows, it asks for
 * at `/mcp` like any other client, with the token that the person gives it.
 */
export function dashboardRoutes(): HttpRoute[] {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    files ??= readPage();
    const file = (await files).get(url.pathname === '/' ? '/index.html' : url.pathname);
    if (!file) return void response.writeHead(404, HEADERS).end();
    const isUnchanged = request.headers['if-none-match'] === file.tag;
    const takesBrotli = String(request.headers['accept-encoding'] ?? '').includes('br');
    if (takesBrotli && !isUnchanged) file.brotli ??= compress(file.plain);
    const body = takesBrotli ? await file.brotli : file.plain;
    response.writeHead(isUnchanged ? 304 : 200, {
      ...HEADERS,
      'content-type': file.type,
      etag: file.tag,
      vary: 'accept-encoding',
      'cache-control': file.isLasting ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(takesBrotli && { 'content-encoding': 'br' }),
    });
    response.end(isUnchanged ? undefined : body);
  };
  return ['/', '/assets/*'].map((path) => ({
    method: 'GET',
    path,
    public: true,
    handle: (request, response, { url }) => handle(request, response, url),
  }));
}

async function readPage(): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, PageFile>();
  for (const entry of names) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = await readFile(path);
    const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const type = TYPES.get(extname(entry.name)) ?? 'application/octet-stream';
    const isLasting = /-[\w-]{8}\.(js|css)$/.test(entry.name);
    const served = path.slice(folder.length).replaceAll('\\', '/');
    files.set(served, { type, plain, tag, isLasting });
  }
  return files;
}
