import type { CallContext, ListedResource, Resource } from '@atoll-mcp/core';
import { invalidParams, type Json } from '@atoll-mcp/core';
import { hasVariables, matchUri } from './uri-template.ts';

const PAGE = 100;

/** All resources of all families, a page at a time; the cursor is a family and a place in it. */
export async function listResources<Service>(
  resources: readonly Resource<Service>[],
  cursor: unknown,
  context: CallContext<Service>,
): Promise<Json> {
  let { family, offset } = readCursor(cursor);
  const page: ListedResource[] = [];
  for (; family < resources.length; family += 1, offset = 0) {
    const resource = resources[family]!;
    const wanted = PAGE - page.length;
    const found = await listFamily(resource, { offset, limit: wanted + 1 }, context);
    page.push(...found.slice(0, wanted));
    if (found.length > wanted) return { resources: page, nextCursor: writeCursor(family, offset + wanted) };
  }
  return { resources: page };
}

export function listTemplates<Service>(resources: readonly Resource<Service>[]): Json {
  const templates = resources.filter(({ uriTemplate }) => hasVariables(uriTemplate));
  return {
    resourceTemplates: templates.map(({ uriTemplate, name, title, description, mimeType, meta }) => ({
      uriTemplate,
      name,
      title,
      description,
      ...(mimeType && { mimeType }),
      ...(meta && { _meta: meta }),
    })),
  };
}

export async function readResource<Service>(
  resources: readonly Resource<Service>[],
  uri: unknown,
  context: () => Promise<CallContext<Service>>,
): Promise<Json> {
  if (typeof uri !== 'string') throw invalidParams('"uri" must be a string');
  for (const resource of resources) {
    const variables = matchUri(resource.uriTemplate, uri);
    const contents = variables && (await resource.read(variables, await context(), uri));
    if (contents) return { contents };
  }
  throw invalidParams('Resource not found', { uri });
}

async function listFamily<Service>(
  resource: Resource<Service>,
  page: { offset: number; limit: number },
  context: CallContext<Service>,
): Promise<readonly ListedResource[]> {
  if (resource.list) return resource.list(page, context);
  if (hasVariables(resource.uriTemplate) || page.offset > 0) return [];
  const { uriTemplate: uri, name, title, description, mimeType, meta } = resource;
  return [{ uri, name, title, description, ...(mimeType && { mimeType }), ...(meta && { _meta: meta }) }];
}

function writeCursor(family: number, offset: number): string {
  return Buffer.from(`${family}:${offset}`).toString('base64url');
}

function readCursor(cursor: unknown): { family: number; offset: number } {
  if (cursor === undefined) return { family: 0, offset: 0 };
  const found = /^(\d+):(\d+)$/.exec(Buffer.from(String(cursor), 'base64url').toString());
  if (!found) throw invalidParams('Invalid cursor');
  return { family: Number(found[1]), offset: Number(found[2]) };
}
