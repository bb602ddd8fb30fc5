import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ToolError } from '@atoll-mcp/core';
import { HttpRefusal, type HttpRoute, type ServiceOf } from '@atoll-mcp/server';
import { collectionName, showListed } from './schemas.ts';
import type { Lake } from './service/limits/lake.ts';

/** HTTP beside `/mcp`: uploads, and downloads by signed link. */
export function lakeRoutes(service: ServiceOf<Lake>): HttpRoute[] {
  return [
    {
      method: 'POST',
      path: '/memories',
      async handle(request, response, { url, body, signal, limits }) {
        const collection = collectionName.optional().safeParse(url.searchParams.get('collection') ?? undefined);
        if (!collection.success) return answer(response, 400, { error: '"collection" is not a valid name' });
        const files = await uploadedFiles(request, url, body);
        if (typeof files === 'string') return answer(response, 400, { error: files });
        const lake = await service(limits && { limits });
        const memories = [];
        for (const file of files) {
          const { memory, isDuplicate } = await lake
            .addGiven({ ...file, collection: collection.data }, { signal })
            .catch(refused);
          memories.push({ ...showListed(memory), ...(isDuplicate && { duplicate_of: memory.id }) });
        }
        answer(response, 201, { memories });
      },
    },
    {
      method: 'GET',
      path: '/memories/*',
      // No token needed: the link is signed.
      public: true,
      async handle(request, response, { url }) {
        const lake = await service();
        const id = url.pathname.slice('/memories/'.length);
        const verdict = await lake.checkLink(id, url.searchParams.get('expires'), url.searchParams.get('signature'));
        if (verdict === 'expired')
          return answer(response, 410, { error: 'This link has expired; fetch_memory gives a new one' });
        if (verdict === 'forged') return answer(response, 403, { error: 'The signature of this link is not valid' });
        const file = await lake.fileBehind(id);
        if (!file) return answer(response, 404, { error: 'This file no longer exists' });
        // Opened before the headers are sent, so that a failure can still be reported as an error.
        const bytes = await lake.bytesOf(file);
        response.writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-length': file.sizeBytes,
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-store',
        });
        if (request.method !== 'HEAD') return pipeline(bytes, response);
        bytes.destroy();
        response.end();
      },
    },
  ];
}

function refused(error: unknown): never {
  if (error instanceof ToolError && error.code === 'TOO_LARGE') throw new HttpRefusal(413, error.message);
  if (error instanceof ToolError && error.code === 'COLLECTION_NOT_FOUND') throw new HttpRefusal(403, error.message);
  throw error;
}

interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Files of a form (`curl -F file=@report.pdf`), or the body itself under `?name=report.pdf`; otherwise an error message. */
async function uploadedFiles(
  request: IncomingMessage,
  url: URL,
  body: () => Promise<Buffer>,
): Promise<UploadedFile[] | string> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) {
    const name = url.searchParams.get('name') ?? headerName(request.headers['x-file-name']);
    return name
      ? [{ name, bytes: await body() }]
      : 'Name the file: POST /memories?name=report.pdf, or send it as a form';
  }
  try {
    const form = await new Response(new Uint8Array(await body()), { headers: { 'content-type': type } }).formData();
    const files: UploadedFile[] = [];
    for (const part of form.values()) {
      if (typeof part !== 'string') files.push({ name: part.name, bytes: Buffer.from(await part.arrayBuffer()) });
    }
    return files.length > 0 ? files : 'The form has no file';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'The form data is not valid';
  }
}

/** Headers are limited to Latin letters, so other names are percent-encoded. */
function headerName(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
